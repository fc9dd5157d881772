"""buf's standard lint rules hold for our protos, and each of the checks finds what breaks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proto.proto_lint import STANDARD, Protos, compiled

PROTO = Path(__file__).resolve().parents[2] / "proto"

GOOD = 'syntax = "proto3";\npackage shop.v1;\nmessage Ware {}\n'
HEAD = 'syntax = "proto3";\npackage shop.v1;\n'
SERVICE = HEAD + "message FindRequest {}\nmessage FindResponse {}\nmessage Other {}\n"
# What breaks each rule: files by their paths.
BROKEN: dict[str, dict[str, str]] = {
    "DIRECTORY_SAME_PACKAGE": {"shop/v1/a.proto": GOOD, "shop/v1/b.proto": GOOD.replace("shop", "other")},
    "ENUM_FIRST_VALUE_ZERO": {"shop/v1/a.proto": 'syntax = "proto2";\npackage shop.v1;\nenum E { E_A = 1; }\n'},
    "ENUM_NO_ALLOW_ALIAS": {
        "shop/v1/a.proto": HEAD + "enum E { option allow_alias = true; E_UNSPECIFIED = 0; E_A = 0; }\n"
    },
    "ENUM_PASCAL_CASE": {"shop/v1/a.proto": HEAD + "enum my_pile { MY_PILE_UNSPECIFIED = 0; }\n"},
    "ENUM_VALUE_PREFIX": {"shop/v1/a.proto": HEAD + "enum MyPile { MYPILE_UNSPECIFIED = 0; }\n"},
    "ENUM_VALUE_UPPER_SNAKE_CASE": {"shop/v1/a.proto": HEAD + "enum E { E_UNSPECIFIED = 0; E_Hand = 1; }\n"},
    "ENUM_ZERO_VALUE_SUFFIX": {"shop/v1/a.proto": HEAD + "message M { enum E { E_NONE = 0; } }\n"},
    "FIELD_LOWER_SNAKE_CASE": {"shop/v1/a.proto": HEAD + "message M { message N { int32 maxHp = 1; } }\n"},
    "FIELD_NOT_REQUIRED": {
        "shop/v1/a.proto": 'syntax = "proto2";\npackage shop.v1;\nmessage M { required int32 hp = 1; }\n'
    },
    "FILE_LOWER_SNAKE_CASE": {"shop/v1/myFile.proto": GOOD},
    "IMPORT_NO_PUBLIC": {
        "shop/v1/a.proto": GOOD,
        "shop/v1/b.proto": HEAD + 'import public "shop/v1/a.proto";\nmessage M { Ware ware = 1; }\n',
    },
    "IMPORT_USED": {"shop/v1/a.proto": GOOD, "shop/v1/b.proto": HEAD + 'import "shop/v1/a.proto";\n'},
    "MESSAGE_PASCAL_CASE": {"shop/v1/a.proto": HEAD + "message M { message my_part {} }\n"},
    "ONEOF_LOWER_SNAKE_CASE": {"shop/v1/a.proto": HEAD + "message M { oneof Place { int32 hp = 1; } }\n"},
    "PACKAGE_DEFINED": {"shop/v1/a.proto": 'syntax = "proto3";\n'},
    "PACKAGE_DIRECTORY_MATCH": {"shop/a.proto": GOOD},
    "PACKAGE_LOWER_SNAKE_CASE": {"myShop/v1/a.proto": GOOD.replace("shop", "myShop")},
    "PACKAGE_NO_IMPORT_CYCLE": {
        "shop/v1/a.proto": GOOD,
        "other/v1/a.proto": 'syntax = "proto3";\npackage other.v1;\nimport "shop/v1/a.proto";\n'
        "message M { shop.v1.Ware ware = 1; }\n",
        "shop/v1/b.proto": HEAD + 'import "other/v1/a.proto";\nmessage N { other.v1.M m = 1; }\n',
    },
    "PACKAGE_SAME_DIRECTORY": {"shop/v1/a.proto": GOOD, "other/b.proto": HEAD},
    "PACKAGE_VERSION_SUFFIX": {"shop/a.proto": GOOD.replace("shop.v1", "shop")},
    "PROTOVALIDATE": {
        "shop/v1/a.proto": HEAD + 'import "buf/validate/validate.proto";\n',
        "buf/validate/validate.proto": HEAD,
    },
    "RPC_PASCAL_CASE": {"shop/v1/a.proto": SERVICE + "service S { rpc find(FindRequest) returns (FindResponse); }\n"},
    "RPC_REQUEST_RESPONSE_UNIQUE": {
        "shop/v1/a.proto": SERVICE
        + "service S { rpc Find(FindRequest) returns (FindResponse); rpc Get(FindRequest) returns (Other); }\n"
    },
    "RPC_REQUEST_STANDARD_NAME": {
        "shop/v1/a.proto": SERVICE + "service S { rpc Find(Other) returns (FindResponse); }\n"
    },
    "RPC_RESPONSE_STANDARD_NAME": {
        "shop/v1/a.proto": SERVICE + "service S { rpc Find(FindRequest) returns (Other); }\n"
    },
    "SERVICE_PASCAL_CASE": {"shop/v1/a.proto": HEAD + "service shop_Service {}\n"},
    "SERVICE_SUFFIX": {"shop/v1/a.proto": HEAD + "service Shop {}\n"},
    "SYNTAX_SPECIFIED": {"shop/v1/a.proto": "package shop.v1;\n"},
} | {
    f"PACKAGE_SAME_{option.upper()}": {
        "shop/v1/a.proto": f"{GOOD}option {option} = {value};\n",
        "shop/v1/b.proto": HEAD,
    }
    for option, value in (
        ("csharp_namespace", '"S"'),
        ("go_package", '"s"'),
        ("java_multiple_files", "true"),
        ("java_package", '"s"'),
        ("php_namespace", '"S"'),
        ("ruby_package", '"S"'),
        ("swift_prefix", '"S"'),
    )
}


@pytest.fixture(scope="module")
def ours() -> Protos:
    return compiled(PROTO)


def test_every_standard_rule_is_here() -> None:
    """35 rules, as `buf config ls-lint-rules` of buf 1.75 lists them."""
    assert len(STANDARD) == 35
    assert sorted(STANDARD) == sorted(BROKEN)


@pytest.mark.parametrize("rule", STANDARD)
def test_our_protos_hold_it(rule: str, ours: Protos) -> None:
    assert len(ours.files) >= 5
    assert list(STANDARD[rule](ours)) == []


@pytest.mark.parametrize("rule", STANDARD)
def test_what_breaks_it_is_found(rule: str, tmp_path: Path) -> None:
    for name, text in BROKEN[rule].items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert list(STANDARD[rule](compiled(tmp_path)))
