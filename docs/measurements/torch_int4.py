#!/usr/bin/env python3
"""torch's own int4 product (group 128, bf16) and its copies, timed like `w4check bench`: GPU events,
weights rotated so that each launch reads them from memory. JSON on standard output:

  {"device": …, "torch": …, "rows": [{"who", "n", "k", "m", "g", "seconds", "gb_per_s", …}],
   "dense": [the same of bf16 weights], "copies": […], "errors": [what this torch or GPU does not have]}

`gb_per_s`: bytes of packed weights and of their scales and zero points over the median time of one
launch; of copies: bytes read and written. `w4check bench --with` reads the file.

  torch_int4.py [--seconds 0.3] [--layers N,K:N,K…]
"""
import argparse
import json
import statistics
import sys

LAYERS = {"gate_up": (24576, 4096), "qkv": (6144, 4096), "down": (4096, 12288)}  # of Qwen3-8B
GROUP = 128
TOKENS = (1, 2, 3, 4, 5)


LAUNCHES = 48  # in one window of the GPU's clock, a graph where that can be made


def timed(torch, calls, seconds):
    """Median and least seconds of one call over windows of LAUNCHES calls in turn."""
    def window():
        for i in range(LAUNCHES):
            calls[i % len(calls)]()

    window()
    torch.cuda.synchronize()
    how = "graph"
    try:  # without the host's time for each launch
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            window()
        run = graph.replay
    except Exception:  # noqa: BLE001
        torch.cuda.synchronize()
        run, how = window, "stream"
    run()
    times, total = [], 0.0
    while total < seconds or len(times) < 7:
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        run()
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) / 1e3 / LAUNCHES)
        total += times[-1] * LAUNCHES
    return {"seconds": statistics.median(times), "least_seconds": min(times), "windows": len(times), "how": how}


def packed(torch, n, k):
    """(what torch._weight_int4pack_mm takes for an [N,K] layer)."""
    q = torch.randint(0, 16, (n, k), dtype=torch.int32, device="cuda")
    try:  # since 2.5: two codes a byte, even k in the high half
        weights = torch._convert_weight_to_int4pack((q[:, ::2] << 4 | q[:, 1::2]).to(torch.uint8), 8)
    except Exception:  # noqa: BLE001
        weights = torch._convert_weight_to_int4pack(q, 8)
    scales_and_zeros = torch.rand(k // GROUP, n, 2, device="cuda").to(torch.bfloat16)
    return weights, scales_and_zeros


def products(torch, seconds, layers, out):
    l2 = getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 0) or 64 << 20
    for name, (n, k) in layers.items():
        size = n * k // 2 + (k // GROUP) * n * 4
        copies = max(2, -(-2 * l2 // size) + 1)  # more than twice the cache lies between two uses
        try:
            layer = [packed(torch, n, k) for _ in range(copies)]
        except Exception as error:  # noqa: BLE001
            out["errors"].append({"who": "torch _weight_int4pack_mm", "shape": name, "n": n, "k": k,
                                  "error": repr(error)[:300]})
            continue
        for m in TOKENS:
            row = {"who": "torch _weight_int4pack_mm", "shape": name, "n": n, "k": k, "m": m, "g": GROUP}
            try:
                act = torch.randn(m, k, device="cuda").to(torch.bfloat16)
                calls = [lambda w=w, s=s: torch._weight_int4pack_mm(act, w, GROUP, s) for w, s in layer]
                assert tuple(calls[0]().shape) == (m, n)
                row.update(timed(torch, calls, seconds), bytes=size)
                row["gb_per_s"] = size / row["seconds"] / 1e9
                out["rows"].append(row)
            except Exception as error:  # noqa: BLE001
                out["errors"].append(row | {"error": repr(error)[:300]})
        # The same layer unpacked, as cuBLAS has it.
        try:
            dense = [torch.randn(n, k, device="cuda").to(torch.bfloat16) for _ in range(3)]
            for m in TOKENS:
                act = torch.randn(m, k, device="cuda").to(torch.bfloat16)
                calls = [lambda w=w: torch.nn.functional.linear(act, w) for w in dense]
                row = {"who": "torch linear bf16", "shape": name, "n": n, "k": k, "m": m, "bytes": 2 * n * k}
                row.update(timed(torch, calls, seconds))
                row["gb_per_s"] = row["bytes"] / row["seconds"] / 1e9
                out["dense"].append(row)
        except Exception as error:  # noqa: BLE001
            out["errors"].append({"who": "torch linear bf16", "shape": name, "n": n, "k": k,
                                  "error": repr(error)[:300]})


def copies(torch, seconds, out):
    for size in (256 << 20, 1 << 30):
        try:
            a = torch.empty(size, dtype=torch.uint8, device="cuda")
            b = torch.empty_like(a)
            row = {"who": "torch copy", "bytes": 2 * size} | timed(torch, [lambda: b.copy_(a)], seconds)
            row["gb_per_s"] = row["bytes"] / row["seconds"] / 1e9
            out["copies"].append(row)
        except Exception as error:  # noqa: BLE001
            out["errors"].append({"who": "torch copy", "bytes": 2 * size, "error": repr(error)[:300]})


def main():
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("--seconds", type=float, default=0.3, help="of launches a row (default 0.3)")
    parse.add_argument("--layers", help="N,K:N,K… instead of gate_up, qkv, down")
    args = parse.parse_args()
    layers = LAYERS
    if args.layers:
        layers = {pair: tuple(int(x) for x in pair.split(",")) for pair in args.layers.split(":")}
    out = {"device": "none", "rows": [], "dense": [], "copies": [], "errors": []}
    try:
        import torch
        out["torch"] = torch.__version__
        out["device"] = torch.cuda.get_device_name(0)
        copies(torch, args.seconds, out)
        products(torch, args.seconds, layers, out)
    except Exception as error:  # noqa: BLE001
        out["errors"].append({"error": repr(error)[:300]})
    json.dump(out, sys.stdout)
    print()
    return 0 if out["rows"] else 1


if __name__ == "__main__":
    sys.exit(main())
