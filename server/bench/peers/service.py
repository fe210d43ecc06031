"""Peer of the service benchmark: FastAPI and xgboost answer the same question with the same trees.

Given what a serious service gives: an API key check, an audit line a request, flushed before the answer, and the four
strongest reasons from pred_contribs. Features are computed beforehand and kept in memory.
Run as: uvicorn --app-dir <this folder> service:app, with LASTRO_PEER naming the folder of the model.
"""
import hashlib
import json
import os
import time
import uuid

import numpy as np
import xgboost
from fastapi import FastAPI, HTTPException, Request

folder = os.environ["LASTRO_PEER"]
with open(f"{folder}/model.json") as file:
    model = json.load(file)
outputs, features = model["outputs"], model["features"]
boosters = []
for name in outputs:
    booster = xgboost.Booster({"nthread": 1})
    booster.load_model(f"{folder}/{name}.json")
    booster.set_param({"nthread": 1})
    boosters.append(booster)
rows = np.fromfile(f"{folder}/features.f32", dtype=np.float32).reshape(-1, features)
row_of = {document: at for at, document in enumerate(model["documents"])}
keys = {hashlib.sha256(model["key"].encode()).hexdigest(): {"id": "key_1", "role": "creator"}}
audit = open(f"{folder}/audit.jsonl", "a")

golden = np.fromfile(f"{folder}/golden.f64").reshape(model["goldenRows"], len(outputs))
for at, booster in enumerate(boosters):
    margins = booster.inplace_predict(rows[: model["goldenRows"]], predict_type="margin")
    worst = np.abs(margins - golden[:, at]).max()
    if worst > 1e-4:
        raise SystemExit(f"the peer's trees answer otherwise: {outputs[at]} differs by {worst}")

app = FastAPI()


@app.post("/v1/api/prediction/{model_id}/{alias}")
async def predict(model_id: str, alias: str, request: Request):
    authorization = request.headers.get("authorization", "")
    key = keys.get(hashlib.sha256(authorization[len("Bearer "):].encode()).hexdigest())
    if key is None:
        raise HTTPException(status_code=401)
    body = await request.json()
    at = row_of.get(body.get("legal_document"))
    if at is None:
        raise HTTPException(status_code=404)
    row = rows[at : at + 1]
    answer = {}
    probability = 0.0
    for name, booster in zip(outputs, boosters):
        margin = float(booster.inplace_predict(row, predict_type="margin")[0])
        probability = max(probability, 1 / (1 + np.exp(-margin)))
        answer[name] = float(probability)
    contributions = boosters[-1].predict(xgboost.DMatrix(row, nthread=1), pred_contribs=True)[0, :-1]
    strongest = np.argsort(-np.abs(contributions))[:4]
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    answer["score"] = round(1000 * (1 - answer[outputs[-1]]))
    answer["risk_band"] = "High Risk" if answer["score"] < 400 else "Low Risk"
    answer["key_factors"] = [
        f"Feature {f} of the customer: {row[0, f]:.0f} (usual: {model['usual'][f]:.0f})" for f in strongest]
    answer["data_coverage"] = "full"
    answer["as_of"] = now
    answer["prediction_id"] = f"prd_{uuid.uuid4().hex}"
    answer["model_id"] = model_id
    answer["version_id"] = "ver_1"
    answer["generated_at"] = now
    answer["data_age"] = 21
    audit.write(json.dumps({
        "id": f"aud_{uuid.uuid4().hex}", "action": "prediction-request", "actor": key["id"], "at": now,
        "ip": request.client.host, "alias": alias, "inputs": body, "outputs": answer}) + "\n")
    audit.flush()
    return answer
