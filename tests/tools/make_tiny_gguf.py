#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""make_tiny_gguf.py DIR [NAME...]: small GGUF models with random weights, for tests with a real llama-server.

A model needs to say nothing sensible here: prompts are processed, slots are saved and restored all the same. The
weights come from fixed seeds, so the files are the same on every machine. A file that is there already is kept; a
new one appears whole or not at all. The vocabulary is about one token a character.

  tiny-dense     attention only
  tiny-dense-b   the same shape with other weights: its snapshots restore into tiny-dense, wrongly
  tiny-long      attention only, a context of 65 536, for the prompts of a whole harness
  mid-dense      large enough that processing a prompt takes real time
  tiny-swa       sliding-window attention
  tiny-mamba     recurrent
  mid-mamba      recurrent, and large enough that processing a prompt takes real time
"""
import contextlib
import os
import struct
import sys
import tempfile
from dataclasses import dataclass, field

import numpy as np

ALIGNMENT = 32
GENERATION = 1  # raised whenever the files change, so that cached ones are made anew
CHAT_TEMPLATE = "{% for m in messages %}[{{ m['role'] }}] {{ m['content'] }}\n{% endfor %}[assistant] "
TOOLS_TEMPLATE = "{% if tools %}{{ tools | tojson }}\n{% endif %}" + CHAT_TEMPLATE


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def value_bytes(value):
    """The GGUF type number and the bytes of one value."""
    if isinstance(value, bool):
        return 7, struct.pack("<?", value)
    if isinstance(value, int):
        return 4, struct.pack("<I", value)
    if isinstance(value, float):
        return 6, struct.pack("<f", value)
    if isinstance(value, str):
        return 8, text(value)
    if isinstance(value, np.ndarray):
        code = {"<f4": 6, "<i4": 5}[value.dtype.str]
        return 9, struct.pack("<IQ", code, value.size) + value.tobytes()
    return 9, struct.pack("<IQ", 8, len(value)) + b"".join(text(item) for item in value)


def weights(rng, shape):
    scale = 1.0 / np.sqrt(shape[0])
    return (rng.standard_normal(int(np.prod(shape)), dtype=np.float32) * scale).astype("<f2")


def small(rng, shape):
    return (rng.standard_normal(int(np.prod(shape)), dtype=np.float32) * 0.05).astype("<f4")


def ones(_rng, shape):
    return np.ones(int(np.prod(shape)), "<f4")


def decay(_rng, shape):
    """The state matrix of a recurrent layer: each state forgets at a rate of its own."""
    return -np.tile(np.arange(1, shape[0] + 1, dtype="<f4"), shape[1])


def step_bias(_rng, shape):
    return np.full(int(np.prod(shape)), -2.0, "<f4")


@dataclass
class Model:
    name: str
    architecture: str
    seed: int
    keys: dict = field(default_factory=dict)  # without the architecture's prefix
    tensors: list = field(default_factory=list)  # (name, shape with the fastest dimension first, filler)
    chat_template: str = CHAT_TEMPLATE
    pieces: tuple = ()  # of the vocabulary, beyond those that all have

    def add(self, name, shape, filler=weights):
        self.tensors.append((name, shape, filler))


# For prompts of natural length, about two characters a token: the most frequent pairs of letters, and JSON's own.
PAIRS = """th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro
    ic ne ea ra ce li ch ll be ma si om ur so pe ec ac el no us tr fi et ss po la ta ct un pr di ho wh wi ca ut mo em ns
    ag sh ig sp ex "" :" {" "} }, ," ": \": \", .\u2581 ,\u2581 e\u2581 s\u2581 t\u2581 d\u2581 n\u2581 y\u2581 r\u2581 the ing and ion ent""".split()


def vocabulary(more=()):
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    kinds = [2, 3, 3] + [6] * 256
    scores = [0.0] * 3 + [-1000.0] * 256
    for code in range(32, 127):
        tokens.append("\u2581" if code == 32 else chr(code))
        kinds.append(1)
        scores.append(-10.0 - code / 100)
    for rank, piece in enumerate(["\u2581the", "\u2581and", "\u2581a", "in", "er", "on", "\u2581o", "\u2581w", "re", "an"]):
        tokens.append(piece)
        kinds.append(1)
        scores.append(-1.0 - rank)
    for rank, piece in enumerate(dict.fromkeys(piece for piece in more if piece not in tokens)):
        tokens.append(piece)
        kinds.append(1)
        scores.append(-11.0 - rank / 1000)
    return tokens, np.array(scores, "<f4"), np.array(kinds, "<i4")


def common(model, width, layers, context):
    model.keys |= {
        "context_length": context,
        "embedding_length": width,
        "block_count": layers,
        "attention.layer_norm_rms_epsilon": 1e-5,
        "vocab_size": len(vocabulary(model.pieces)[0]),
    }
    model.add("token_embd.weight", (width, len(vocabulary(model.pieces)[0])))
    model.add("output_norm.weight", (width,), ones)


def attention_layer(model, prefix, width, heads, kv_heads, hidden, sandwich=False):
    kv_width = width // heads * kv_heads
    model.add(prefix + "attn_norm.weight", (width,), ones)
    model.add(prefix + "attn_q.weight", (width, width))
    model.add(prefix + "attn_k.weight", (width, kv_width))
    model.add(prefix + "attn_v.weight", (width, kv_width))
    model.add(prefix + "attn_output.weight", (width, width))
    if sandwich:
        model.add(prefix + "post_attention_norm.weight", (width,), ones)
    model.add(prefix + "ffn_norm.weight", (width,), ones)
    model.add(prefix + "ffn_gate.weight", (width, hidden))
    model.add(prefix + "ffn_up.weight", (width, hidden))
    model.add(prefix + "ffn_down.weight", (hidden, width))
    if sandwich:
        model.add(prefix + "post_ffw_norm.weight", (width,), ones)


def dense(name, seed, layers=2, width=64, heads=4, kv_heads=2, hidden=128, context=8192, **more):
    model = Model(name, "llama", seed, **more)
    common(model, width, layers, context)
    model.keys |= {
        "feed_forward_length": hidden,
        "attention.head_count": heads,
        "attention.head_count_kv": kv_heads,
        "rope.dimension_count": width // heads,
    }
    model.add("output.weight", (width, len(vocabulary(model.pieces)[0])))
    for layer in range(layers):
        attention_layer(model, f"blk.{layer}.", width, heads, kv_heads, hidden)
    return model


def long_context(name, seed):
    """One thin layer: whole prompts of a harness, its tools included, take seconds on two cores."""
    thin = {"layers": 1, "width": 32, "heads": 1, "kv_heads": 1, "hidden": 64}
    return dense(name, seed, **thin, context=65536, chat_template=TOOLS_TEMPLATE, pieces=tuple(PAIRS))


def sliding_window(name, seed, layers=4, width=64, heads=4, kv_heads=2, hidden=128, context=16384, window=64):
    model = Model(name, "gemma2", seed)
    common(model, width, layers, context)
    model.keys |= {
        "feed_forward_length": hidden,
        "attention.head_count": heads,
        "attention.head_count_kv": kv_heads,
        "attention.key_length": width // heads,
        "attention.value_length": width // heads,
        "attention.sliding_window": window,
    }
    for layer in range(layers):
        attention_layer(model, f"blk.{layer}.", width, heads, kv_heads, hidden, sandwich=True)
    return model


def recurrent(name, seed, layers=2, width=64, context=8192):
    inner, states, rank, kernel = 2 * width, 16, max(1, width // 16), 4
    model = Model(name, "mamba", seed)
    common(model, width, layers, context)
    model.keys |= {
        "feed_forward_length": 0,
        "attention.head_count": 0,
        "ssm.conv_kernel": kernel,
        "ssm.inner_size": inner,
        "ssm.state_size": states,
        "ssm.time_step_rank": rank,
    }
    model.add("output.weight", (width, len(vocabulary(model.pieces)[0])))
    for layer in range(layers):
        prefix = f"blk.{layer}."
        model.add(prefix + "attn_norm.weight", (width,), ones)
        model.add(prefix + "ssm_in.weight", (width, 2 * inner))
        model.add(prefix + "ssm_conv1d.weight", (kernel, inner), small)
        model.add(prefix + "ssm_conv1d.bias", (inner,), small)
        model.add(prefix + "ssm_x.weight", (inner, rank + 2 * states))
        model.add(prefix + "ssm_dt.weight", (rank, inner))
        model.add(prefix + "ssm_dt.bias", (inner,), step_bias)
        model.add(prefix + "ssm_a", (states, inner), decay)
        model.add(prefix + "ssm_d", (inner,), ones)
        model.add(prefix + "ssm_out.weight", (inner, width))
    return model


def all_keys(model):
    tokens, scores, kinds = vocabulary(model.pieces)
    keys = {"general.architecture": model.architecture, "general.name": model.name, "general.version": f"{GENERATION}"}
    keys |= {f"{model.architecture}.{key}": value for key, value in model.keys.items()}
    return keys | {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.scores": scores,
        "tokenizer.ggml.token_type": kinds,
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.unknown_token_id": 0,
        "tokenizer.ggml.add_bos_token": True,
        "tokenizer.chat_template": model.chat_template,
    }


def padded(size):
    return -size % ALIGNMENT


def write(model, stream):
    keys = all_keys(model)
    header = [b"GGUF", struct.pack("<IQQ", 3, len(model.tensors), len(keys))]
    for key, value in keys.items():
        kind, data = value_bytes(value)
        header.append(text(key) + struct.pack("<I", kind) + data)
    offset = 0
    for name, shape, filler in model.tensors:
        half = filler is weights
        size = int(np.prod(shape)) * (2 if half else 4)
        dimensions = struct.pack(f"<I{len(shape)}Q", len(shape), *shape)
        header.append(text(name) + dimensions + struct.pack("<IQ", 1 if half else 0, offset))
        offset += size + padded(size)
    start = b"".join(header)
    stream.write(start + b"\0" * padded(len(start)))
    rng = np.random.default_rng(model.seed)
    for _name, shape, filler in model.tensors:
        data = filler(rng, shape).tobytes()
        stream.write(data + b"\0" * padded(len(data)))


MODELS = {
    model.name: model
    for model in (
        dense("tiny-dense", seed=1),
        dense("tiny-dense-b", seed=7),
        long_context("tiny-long", seed=5),
        dense("mid-dense", seed=3, layers=8, width=512, heads=8, kv_heads=4, hidden=1408, context=32768),
        sliding_window("tiny-swa", seed=4),
        recurrent("tiny-mamba", seed=2),
        recurrent("mid-mamba", seed=6, layers=6, width=384, context=32768),
    )
}


def model_path(folder, name):
    return os.path.join(folder, name + ".gguf")


def main(arguments):
    if not arguments or any(name not in MODELS for name in arguments[1:]):
        print(__doc__, file=sys.stderr)
        return 2
    folder = arguments[0]
    os.makedirs(folder, exist_ok=True)
    stamp = os.path.join(folder, "generation")
    if not os.path.exists(stamp) or open(stamp, encoding="ascii").read() != f"{GENERATION}":
        for name in MODELS:  # of another generation
            with contextlib.suppress(FileNotFoundError):
                os.remove(model_path(folder, name))
        with open(stamp, "w", encoding="ascii") as stream:
            stream.write(f"{GENERATION}")
    for name in arguments[1:] or MODELS:
        path = model_path(folder, name)
        if os.path.exists(path):
            continue
        with tempfile.NamedTemporaryFile(dir=folder, prefix=name, delete=False) as stream:
            write(MODELS[name], stream)
        os.chmod(stream.name, 0o644)
        os.replace(stream.name, path)
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
