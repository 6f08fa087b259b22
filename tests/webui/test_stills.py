"""The pictures behind the readings."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image

Table = Any


def test_the_dice_of_a_picture_are_cut_out_one_by_one_and_together(table: Table) -> None:
    picture = Image.new("RGB", (640, 480), "green")
    picture.paste((255, 255, 0), (300, 200, 340, 240))
    jpeg = io.BytesIO()
    picture.save(jpeg, "JPEG")
    header = table.reading(0, [("yellow-d6", 2)])
    header["dice"][0]["box"] = [300, 200, 340, 240]
    table.start("Ana", "Ben")
    table.house._on_camera(header, jpeg.getvalue())
    with Image.open(io.BytesIO(table.client.get("/stills/r1-0/dice/t1-0-0.jpg").data)) as die:
        assert die.size == (256, 256)
        assert sum(die.convert("RGB").getpixel((128, 128))[:2]) > 400
    with Image.open(io.BytesIO(table.client.get("/stills/r1-0/hand.jpg").data)) as hand:
        assert hand.size == (120, 120)
    assert table.client.get("/stills/r1-0/dice/t9.jpg").status_code == 404
    assert table.client.get("/stills/r9/hand.jpg").status_code == 404
    assert table.game["seats"][0]["still"] == "r1-0"
    assert table.client.get("/api/state").get_json()["boxes"][0]["box"] == [0.4688, 0.4167, 0.5312, 0.5]


def test_a_picture_of_one_zone_says_where_in_the_table_its_dice_lie(table: Table) -> None:
    header = table.reading(0, [("yellow-d6", 2)])
    header |= {"width": 320, "height": 240, "part": [0.5, 0.25, 1.0, 0.75]}
    header["dice"][0]["box"] = [160, 120, 192, 144]
    table.start("Ana", "Ben")
    table.house._on_camera(header, b"jpeg")
    view = table.client.get("/api/state").get_json()
    assert view["boxes"][0]["box"] == [0.75, 0.5, 0.8, 0.55]
    assert view["look"]["part"] == [0.5, 0.25, 1.0, 0.75]
    assert view["look"]["dice"][0]["box"] == [160, 120, 192, 144]  # the picture's own pixels
