"""Peer of the windows benchmark: counts and sums of past events per label with pandas; a JSON request, a JSON answer a line."""
import json
import sys
import time

import numpy as np
import pandas as pd

DAY_US = 86_400_000_000
frames = {}


def load(request):
    def read(name):
        return np.fromfile(request[name], dtype=np.int32 if name.endswith("Entity") else np.float64)

    frames["events"] = pd.DataFrame({
        "entity": read("eventEntity"), "time": read("eventTime").astype(np.int64), "value": read("eventValue")})
    frames["labels"] = pd.DataFrame({"entity": read("labelEntity"), "at": read("labelTime").astype(np.int64)})
    frames["labels"]["label"] = np.arange(len(frames["labels"]))


def answer(request):
    labels, events = frames["labels"], frames["events"]
    pairs = labels.merge(events, on="entity")
    age = pairs["at"] - pairs["time"]
    pairs = pairs[(age >= 0) & (age < max(request["windowDays"]) * DAY_US)]
    totals = []
    for days in request["windowDays"]:
        inside = pairs[pairs["at"] - pairs["time"] < days * DAY_US]
        found = inside.groupby("label")["value"]
        totals.append(int(found.count().reindex(labels["label"], fill_value=0).sum()))
        if days == request["summedDays"]:
            summed = int(found.sum().reindex(labels["label"], fill_value=0).sum())
    totals.append(summed)
    return totals


for line in sys.stdin:
    request = json.loads(line)
    if not frames:
        load(request)
    start = time.process_time()
    values = answer(request)
    print(json.dumps({"seconds": time.process_time() - start, "values": values}), flush=True)
