"""A training loop with a time budget that survives being stopped: cosine schedule over minutes, checkpoint, resume."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

import torch
from tqdm import tqdm

Step = Callable[[int], tuple[torch.Tensor, Callable[[], str]]]


def train(
    network: torch.nn.Module, step: Step, minutes: float, checkpoint: Path, batch: int, peak_rate: float,
    weight_decay: float = 2e-2,
) -> float:  # fmt: skip
    """Runs `step(batch)` -> (loss, report) until `minutes` of training are done, counted over all runs; returns them.

    `checkpoint` is written every minute and read at the start; one whose optimizer is None starts another round from
    earlier weights.
    """
    optimizer = torch.optim.AdamW(network.parameters(), lr=peak_rate, weight_decay=weight_decay)
    done, iteration = 0.0, 0
    if checkpoint.exists():
        saved = torch.load(checkpoint)
        network.load_state_dict(saved["network"])
        if saved["optimizer"] is not None:
            optimizer.load_state_dict(saved["optimizer"])
        done, iteration = saved["minutes"], saved["iteration"]
        print(f"resumed {checkpoint.name} at {done:.1f} of {minutes:g} minutes")
    checkpoint.parent.mkdir(parents=True, exist_ok=True)

    def save() -> None:
        part = checkpoint.with_suffix(".part")
        torch.save(
            {
                "network": network.state_dict(),
                "optimizer": optimizer.state_dict(),
                "minutes": done,
                "iteration": iteration,
            },
            part,
        )
        part.replace(checkpoint)

    running, last_save, last_tick = None, time.monotonic(), time.monotonic()
    bar = tqdm(
        total=round(minutes, 2),
        unit="min",
        initial=round(done, 2),
        mininterval=20,
        bar_format="{l_bar}{bar}| {n:.1f}/{total:.1f} min {postfix}",
    )
    network.train()
    while done < minutes:
        share = done / minutes
        for group in optimizer.param_groups:
            group["lr"] = peak_rate * min(1.0, (iteration + 1) / 300) * 0.5 * (1 + math.cos(math.pi * share)) + 1e-5
        loss, report = step(batch)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        iteration += 1
        running = loss.item() if running is None else 0.99 * running + 0.01 * loss.item()
        now = time.monotonic()
        done, last_tick = done + (now - last_tick) / 60, now
        if iteration % 250 == 0:
            bar.n = round(done, 2)
            bar.set_postfix_str(f"it {iteration} loss {running:.3f} {report()}")
        if now - last_save > 60:
            save()
            last_save = now
    save()
    bar.close()
    return done
