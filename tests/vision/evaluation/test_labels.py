"""labels.csv, good and bad."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablesight.vision.evaluation.labels import Label, LabelError, read_labels

HEAD = "file,x0,y0,x1,y1,sides,body_color,numeral_color,value,verified,die,notes\n"


def labels(folder: Path, *rows: str) -> tuple[Label, ...]:
    (folder / "labels.csv").write_text(HEAD + "".join(f"{row}\n" for row in rows), encoding="utf-8-sig")
    return read_labels(folder)


def test_a_full_row(tmp_path: Path) -> None:
    (label,) = labels(tmp_path, 'a.jpg,1,2,30,40.5,20,purple,gold,17,1,my-d20,"oblique, by hand"')
    assert label == Label("a.jpg", (1, 2, 30, 40.5), 20, "purple", "gold", 17, verified=True, die="my-d20")
    assert label.is_scored
    assert label.has_face


def test_blanks_are_unknown(tmp_path: Path) -> None:
    (label,) = labels(tmp_path, "a.jpg,,,,,,,,,0,,")
    assert label == Label("a.jpg", None, None, None, None, None, verified=False)
    assert not label.has_face


def test_colours_without_a_name_of_ours_are_other(tmp_path: Path) -> None:
    (label,) = labels(tmp_path, "a.jpg,1,2,3,4,6,orange,red,3,1,,")
    assert (label.color, label.ink) == ("other", "other")


@pytest.mark.parametrize(
    ("row", "scored", "has_face"),
    [
        pytest.param("a.jpg,1,2,3,4,10,pink,white,7,1,,", False, False, id="a d10 is not scored"),
        pytest.param("a.jpg,1,2,3,4,4,red,white,2,1,,", False, False, id="nor a d4"),
        pytest.param("a.jpg,1,2,3,4,8,red,white,2,0,,", True, False, id="an unverified face does not count"),
        pytest.param("a.jpg,1,2,3,4,8,red,white,,1,,", True, False, id="nor a missing one"),
    ],
)
def test_what_counts(row: str, scored: bool, has_face: bool, tmp_path: Path) -> None:
    (label,) = labels(tmp_path, row)
    assert (label.is_scored, label.has_face) == (scored, has_face)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        pytest.param(",1,2,3,4,6,red,white,2,1,,", "the name of a photo", id="no file"),
        pytest.param("a.jpg,1,2,3,,6,red,white,2,1,,", "four numbers", id="half a box"),
        pytest.param("a.jpg,left,2,3,4,6,red,white,2,1,,", "four numbers", id="a word in the box"),
        pytest.param("a.jpg,30,2,3,4,6,red,white,2,1,,", "x0 < x1", id="an inside-out box"),
        pytest.param("a.jpg,nan,2,3,4,6,red,white,2,1,,", "pixels of the photo", id="no number in the box"),
        pytest.param("a.jpg,1,2,inf,1e400,6,red,white,2,1,,", "pixels of the photo", id="a box without end"),
        pytest.param("a.jpg,1,2,3,4,6,red,white,99,1,,", "up to 6 on a d6", id="a number that the die does not have"),
        pytest.param("a.jpg,1,2,3,4,6,red,white,2,yes,,", "verified 0, 1 or blank", id="verified in words"),
        pytest.param("a.jpg,1,2,3,4,six,red,white,2,1,,", "sides from 2 to 100", id="sides in words"),
        pytest.param("a.jpg,1,2,3,4,6,red,white,-2,1,,", "value from 0 to 100", id="a negative face"),
    ],
)
def test_bad_rows_are_named_by_line(row: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(LabelError) as caught:
        labels(tmp_path, "a.jpg,1,2,3,4,6,red,white,2,1,,", row)
    assert words in str(caught.value)
    assert "line 3" in str(caught.value)


def test_a_missing_file_or_column_is_told(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="readable"):
        read_labels(tmp_path)
    (tmp_path / "labels.csv").write_text("file,box\na.jpg,1\n")
    with pytest.raises(LabelError, match="none of x0"):
        read_labels(tmp_path)
    (tmp_path / "labels.csv").write_bytes(b"\xff\xfe\0\0")
    with pytest.raises(LabelError, match="readable"):
        read_labels(tmp_path)
