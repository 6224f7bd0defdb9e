"""Writes the weights of a checkpoint as ONNX: `export.py CHECKPOINT OUTPUT.onnx`.

The graph takes luma as uint8 [N, 1, H, W] and returns uint8 [N, 1, 2 H, 2 W]. Everything is inside: the margin (the
edge repeated), the scale, rounding and clipping. ONNX Runtime fuses convolutions with the LeakyReLU after them.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
import torch
from network import FACTOR, MARGIN, SLOPE, Upscaler
from onnx import TensorProto, helper, numpy_helper

OPSET = 13
MOST_BYTES = 200_000
HIGHEST = np.float32(255)


class Graph:
    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, name: str, value: np.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, operator: str, inputs: list, output: str, **attributes) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def convolution(self, source: str, name: str, kernel: np.ndarray, bias: np.ndarray = None) -> str:
        inputs = [source, self.constant(f"{name}.kernel", kernel)]
        if bias is not None:
            inputs.append(self.constant(f"{name}.bias", bias))
        return self.add("Conv", inputs, name, kernel_shape=list(kernel.shape[2:]))


def graph_of(network: Upscaler) -> onnx.GraphProto:
    """Inside, luma is 0 to 255: the first kernel is divided by 255, and the last one multiplied."""
    kernels = network.collapsed()
    graph = Graph()
    graph.add("Cast", ["luma"], "numbers", to=TensorProto.FLOAT)
    sides = [0, 0, MARGIN, MARGIN, 0, 0, MARGIN, MARGIN]
    hidden = graph.add("Pad", ["numbers", graph.constant("sides", np.array(sides, np.int64))], "padded", mode="edge")
    for at, (kernel, bias) in enumerate(kernels["layers"]):
        scaled = kernel / HIGHEST if at == 0 else kernel
        hidden = graph.convolution(hidden, f"layer{at}", scaled, bias)
        hidden = graph.add("LeakyRelu", [hidden], f"bent{at}", alpha=SLOPE)
    kernel, bias = kernels["last"]
    residual = graph.convolution(hidden, "residual", kernel * HIGHEST, bias * HIGHEST)
    starts = graph.constant("starts", np.array([MARGIN - 2] * 2, np.int64))
    ends = graph.constant("ends", np.array([2 - MARGIN] * 2, np.int64))
    axes = graph.constant("axes", np.array([2, 3], np.int64))
    inner = graph.add("Slice", ["padded", starts, ends, axes], "inner")
    # Half a level, because the cast to uint8 truncates.
    half = np.full(FACTOR * FACTOR, 0.5, np.float32)
    bicubic = graph.convolution(inner, "bicubic", kernels["skip"], half)
    total = graph.add("Add", [bicubic, residual], "sum")
    limits = [graph.constant("lowest", np.float32(0)), graph.constant("highest", HIGHEST)]
    levels = graph.add("Cast", [graph.add("Clip", [total, *limits], "clipped")], "levels", to=TensorProto.UINT8)
    graph.add("DepthToSpace", [levels], "enlarged", blocksize=FACTOR)
    given = helper.make_tensor_value_info("luma", TensorProto.UINT8, ["n", 1, "height", "width"])
    made = helper.make_tensor_value_info("enlarged", TensorProto.UINT8, ["n", 1, "height2", "width2"])
    return helper.make_graph(graph.nodes, "upscaler", [given], [made], graph.constants)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("output", type=Path)
    options = parser.parse_args()
    kept = torch.load(options.checkpoint, map_location="cpu")
    network = Upscaler()
    network.load_state_dict(kept["average"])
    model = helper.make_model(
        graph_of(network), producer_name="reelgraph", opset_imports=[helper.make_opsetid("", OPSET)]
    )
    model.ir_version = 8
    onnx.checker.check_model(model)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(options.output))
    size = options.output.stat().st_size
    if size > MOST_BYTES:
        raise SystemExit(f"{options.output} has {size} bytes; at most {MOST_BYTES} are allowed.")
    parameters = sum(int(np.prod(constant.dims)) for constant in model.graph.initializer if "." in constant.name)
    print(json.dumps({"steps": kept["step"], "parameters": parameters, "bytes": size}))


if __name__ == "__main__":
    main()
