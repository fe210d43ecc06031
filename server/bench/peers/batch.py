"""Peers of the batch benchmark. Trains a model (train), or scores a file with it (csv, raw, explain) and says the cost.

train <matrix> <labels> <rows> <features> <trees> <leaves> <depth> <model>: float32 column-major, float64 labels.
csv <file> <model> <out>: pandas reads id and columns, writes id and probability.
raw <file> <features> <model> <out>: the same from float32 row-major rows, ids counted.
explain <file> <features> <model> <rows>: contributions of the first rows of such a file; the cost is of those calls alone.
"""
import json
import resource
import sys
import time

import numpy as np
import pandas as pd
import xgboost

CHUNK = 100_000


def train(matrix, labels, rows, features, trees, leaves, depth, path):
    x = np.fromfile(matrix, dtype=np.float32).reshape(int(features), int(rows)).T
    options = {
        "objective": "binary:logistic", "tree_method": "hist", "grow_policy": "lossguide", "max_leaves": int(leaves),
        "max_depth": int(depth), "eta": 0.1, "lambda": 1, "min_child_weight": 1e-3, "nthread": 1, "seed": 1}
    data = xgboost.DMatrix(np.ascontiguousarray(x), np.fromfile(labels), nthread=1)
    xgboost.train(options, data, int(trees)).save_model(path)


def load(path):
    model = xgboost.Booster({"nthread": 1})
    model.load_model(path)
    model.set_param({"nthread": 1})
    return model


def append(out, ids, probabilities, first):
    pd.DataFrame({"id": ids, "prediction": probabilities}).to_csv(
        out, mode="w" if first else "a", header=first, index=False)


def csv(path, model_path, out):
    model = load(model_path)
    header = pd.read_csv(path, nrows=0).columns
    types = {name: np.int64 if name == "id" else np.float32 for name in header}
    for k, chunk in enumerate(pd.read_csv(path, dtype=types, chunksize=CHUNK)):
        x = chunk.drop(columns="id").to_numpy(dtype=np.float32)
        append(out, chunk["id"], model.inplace_predict(x), k == 0)


def raw(path, features, model_path, out):
    model = load(model_path)
    x = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, int(features))
    for start in range(0, len(x), CHUNK):
        part = np.array(x[start:start + CHUNK])
        append(out, np.arange(start, start + len(part)), model.inplace_predict(part), start == 0)


def explain(path, features, model_path, rows):
    model = load(model_path)
    x = np.array(np.memmap(path, dtype=np.float32, mode="r").reshape(-1, int(features))[:int(rows)])
    data = xgboost.DMatrix(x, nthread=1)
    start = time.process_time()
    model.predict(data, pred_contribs=True)
    return time.process_time() - start


seconds = {f.__name__: f for f in (train, csv, raw, explain)}[sys.argv[1]](*sys.argv[2:])
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({
    "seconds": used.ru_utime + used.ru_stime if seconds is None else seconds, "peakMb": used.ru_maxrss / 1024}))
