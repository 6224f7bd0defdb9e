"""The upscaling network: luma in, luma of twice the size out.

While it is trained, every 3x3 convolution is a 3x3 convolution to many channels followed by a 1x1 convolution, with an
identity beside them. All three are linear, so each forward pass first multiplies them into one 3x3 kernel (as in
SESR, Bhardwaj et al. 2021): training costs little more than the small network, and only the small kernels are exported.
"""

import torch
import torch.nn.functional as functional
from torch import nn

FACTOR = 2
CHANNELS = 16
BODY = 6
EXPANDED = 64
# Of LeakyReLU below zero. With ReLU, most channels were zero everywhere after some thousand steps.
SLOPE = 0.1
# Details are small beside brightness: the first layer sees differences only, this much larger.
DETAIL = 8.0
# Each of the 3x3 convolutions reaches one pixel further.
MARGIN = BODY + 2


def cubic(distance: float, a: float = -0.5) -> float:
    """The cubic kernel of Pillow."""
    x = abs(distance)
    if x < 1:
        return ((a + 2) * x - (a + 3)) * x * x + 1
    return ((x - 5) * x + 8) * x * a - 4 * a if x < 2 else 0.0


def bicubic_kernel() -> torch.Tensor:
    """Bicubic enlargement as one 5x5 convolution: [4, 1, 5, 5], a channel for each of the four output pixels."""
    taps = torch.tensor([[cubic(tap - phase) for tap in range(-2, 3)] for phase in (-0.25, 0.25)])
    return torch.stack([torch.outer(taps[y], taps[x]) for y in range(2) for x in range(2)])[:, None]


class Collapsible(nn.Module):
    """A 3x3 convolution that is trained as a wider one."""

    def __init__(self, inputs: int, outputs: int, scale: float = 1.0, balanced: bool = False):
        """With `balanced`, the sum of each kernel is zero, so that brightness makes no difference."""
        super().__init__()
        expanded, self.scale, self.balanced = EXPANDED, scale, balanced
        self.expand = nn.Parameter(torch.empty(expanded, inputs, 3, 3))
        self.project = nn.Parameter(torch.empty(outputs, expanded))
        self.bias = nn.Parameter(torch.zeros(outputs))
        nn.init.normal_(self.expand, std=(2 / (9 * inputs)) ** 0.5)
        nn.init.normal_(self.project, std=(0.5 / expanded) ** 0.5)
        identity = torch.zeros(outputs, inputs, 3, 3)
        if inputs == outputs:
            identity[range(outputs), range(inputs), 1, 1] = 1
        self.register_buffer("identity", identity, persistent=False)

    def kernel(self) -> torch.Tensor:
        kernel = (self.project @ self.expand.flatten(1)).view_as(self.identity) + self.identity
        if self.balanced:
            kernel = kernel - kernel.mean((2, 3), keepdim=True)
        return kernel * self.scale


class Upscaler(nn.Module):
    """Luma from 0 to 1, [N, 1, H + 2 MARGIN, W + 2 MARGIN], to [N, 1, 2 H, 2 W]: the caller pads the picture.

    What is trained is the difference to bicubic enlargement.
    """

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(
            [Collapsible(1, CHANNELS, DETAIL, balanced=True), *(Collapsible(CHANNELS, CHANNELS) for _ in range(BODY))]
        )
        self.last = Collapsible(CHANNELS, FACTOR * FACTOR, 1 / DETAIL)
        self.register_buffer("skip", bicubic_kernel(), persistent=False)

    def forward(self, luma: torch.Tensor, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        hidden = luma.to(dtype)
        for layer in self.layers:
            hidden = functional.conv2d(hidden, layer.kernel().to(dtype), layer.bias.to(dtype))
            hidden = functional.leaky_relu(hidden, SLOPE)
        residual = functional.conv2d(hidden, self.last.kernel().to(dtype), self.last.bias.to(dtype)).float()
        return self.bicubic(luma) + functional.pixel_shuffle(residual, FACTOR)

    def bicubic(self, luma: torch.Tensor) -> torch.Tensor:
        """Bicubic enlargement of the same input."""
        inner = MARGIN - 2
        straight = functional.conv2d(luma[:, :, inner:-inner, inner:-inner], self.skip)
        return functional.pixel_shuffle(straight, FACTOR)

    def collapsed(self) -> dict:
        """Kernels and biases as they are exported: `layers` and `last` as pairs, `skip` without a bias."""
        with torch.no_grad():
            pairs = [(layer.kernel().numpy(), layer.bias.numpy()) for layer in [*self.layers, self.last]]
            return {"layers": pairs[:-1], "last": pairs[-1], "skip": self.skip.numpy()}
