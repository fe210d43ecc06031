"""Peers of the tree benchmark: reads one JSON request per line, answers one JSON line with CPU seconds.

Matrices are column-major float32 files, labels float64; margins are written as float64 for the caller to judge.
"""
import json
import sys
import time

import numpy as np
import xgboost
from sklearn.ensemble import HistGradientBoostingClassifier

models = {}


def matrix(request, name):
    rows, features = request[f"{name}Rows"], request["features"]
    columns = np.fromfile(request[f"{name}File"], dtype=np.float32).reshape(features, rows)
    return np.ascontiguousarray(columns.T)


def train_sklearn(request):
    x, y = matrix(request, "train"), np.fromfile(request["labelsFile"])
    model = HistGradientBoostingClassifier(
        max_iter=request["rounds"], learning_rate=0.1, max_leaf_nodes=31, max_depth=8, min_samples_leaf=20,
        l2_regularization=1.0, early_stopping=False, random_state=1)
    start = time.process_time()
    model.fit(x, y)
    seconds = time.process_time() - start
    model.decision_function(matrix(request, "test")).astype(np.float64).tofile(request["marginsFile"])
    return seconds


def train_xgboost(request):
    x, y = matrix(request, "train"), np.fromfile(request["labelsFile"])
    options = {
        "objective": "binary:logistic", "tree_method": "hist", "grow_policy": "lossguide", "max_leaves": 31,
        "max_depth": 8, "eta": 0.1, "lambda": 1, "min_child_weight": 1, "subsample": request["sample"],
        "colsample_bytree": request["sample"], "nthread": 1, "seed": 1, "base_score": float(y.mean())}
    start = time.process_time()
    model = xgboost.train(options, xgboost.DMatrix(x, y, nthread=1), request["rounds"])
    seconds = time.process_time() - start
    models["xgboost"] = model
    margins = model.predict(xgboost.DMatrix(matrix(request, "test"), nthread=1), output_margin=True)
    margins.astype(np.float64).tofile(request["marginsFile"])
    return seconds


def score_xgboost(request):
    model, x = models["xgboost"], matrix(request, "test")
    model.inplace_predict(x[:100])
    start = time.process_time()
    model.inplace_predict(x, predict_type="margin")
    return time.process_time() - start


def explain_xgboost(request):
    x = xgboost.DMatrix(matrix(request, "test")[:request["explainRows"]], nthread=1)
    start = time.process_time()
    models["xgboost"].predict(x, pred_contribs=True)
    return time.process_time() - start


actions = {f.__name__: f for f in (train_sklearn, train_xgboost, score_xgboost, explain_xgboost)}
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"seconds": actions[request["action"]](request)}), flush=True)
