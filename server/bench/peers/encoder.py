"""Peer of the encoder benchmark: the matrix products of a training step, by NumPy's BLAS. One JSON request per line, one
JSON line with CPU seconds of all threads per step, and which library it was.

products: [rows, inner, columns, left is transposed, right is transposed] of each, float32.
"""
import json
import sys
import time

import numpy as np

random = np.random.default_rng(1)


def matrix(rows, columns, is_transposed):
    shape = (columns, rows) if is_transposed else (rows, columns)
    made = random.standard_normal(shape, dtype=np.float32)
    return made.T if is_transposed else made


def multiply(request):
    products = [
        (matrix(rows, inner, left), matrix(inner, columns, right), np.empty((rows, columns), dtype=np.float32))
        for rows, inner, columns, left, right in request["products"]
    ]
    for a, b, out in products:
        np.matmul(a, b, out=out)
    start, wall = time.process_time(), time.perf_counter()
    for _ in range(request["steps"]):
        for a, b, out in products:
            np.matmul(a, b, out=out)
    steps = request["steps"]
    return (time.process_time() - start) / steps, (time.perf_counter() - wall) / steps


def library():
    try:
        blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
        return f"NumPy {np.__version__}, {blas['name']} {blas['version']}"
    except (KeyError, TypeError):
        return f"NumPy {np.__version__}"


for line in sys.stdin:
    seconds, wall = multiply(json.loads(line))
    print(json.dumps({"seconds": seconds, "values": [wall], "about": library()}), flush=True)
