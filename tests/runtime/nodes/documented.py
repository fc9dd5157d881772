# ruff: noqa: E501 - tables
"""The node library as its documentation has it: what every node's ports, params and defaults have to be.

One line a node: type | graph kinds | inputs | outputs | params. Flow ports are named, data ports carry their type
(`amount:Int`). A default follows `=`, `!` marks what has to be given. Kinds: c(ard), s(tatus), e(nemy). A param's words
stand in brackets, its default first unless it has to be given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

TYPES: Final = {
    "Int": "Int",
    "Bool": "Bool",
    "Text": "Text",
    "Unit": "UnitRef",
    "Units": "UnitList",
    "Card": "CardRef",
    "Cards": "CardList",
    "Status": "StatusRef",
}

_ADD: Final = "count:Int=1 like:Card | out card:Card | card pool"
_ENERGY: Final = "cse | in amount:Int! | out |"
_ON_TARGETS: Final = "in amount:Int! target:Units=acting"
_VARIABLE: Final = "unit:Unit=acting card:Card=current"
_SCOPE: Final = "name! scope(battle,unit,card)"
_HURT: Final = "| out amount:Int source:Unit target:Unit |"
_POSITION: Final = "position(top,bottom,random)"
_UNTIL: Final = "until(turn,played,battle)"

ENTRIES: Final = f"""
on_battle_start | s | | out |
on_battle_end | s | | out |
on_turn_start | cs | | out |
on_turn_end | cs | | out |
on_draw_phase | s | | out |
on_discard_phase | s | | out |
on_draw_pile_shuffled | c | | out |
on_card_drawn | cs | | out card:Card |
on_card_played | c | | out card:Card |
on_card_discarded | c | | out card:Card |
on_card_exhausted | c | | out card:Card |
on_card_retained | c | | out card:Card |
on_card_added_to_hand | c | | out card:Card |
on_card_added_to_deck | c | | out card:Card |
on_damage_dealt | s | {_HURT}
on_damage_taken | s | {_HURT}
on_attack_taken | s | {_HURT}
on_hp_gained | s | {_HURT}
on_hp_lost | s | {_HURT}
on_armor_gained | s | {_HURT}
on_armor_lost | s | {_HURT}
on_energy_gained | s | | out amount:Int |
on_energy_spent | s | | out amount:Int |
on_status_inflicted | s | | out status:Status stacks:Int source:Unit target:Unit |
on_status_received | s | | out status:Status stacks:Int source:Unit target:Unit |
on_status_expired | s | | out status:Status target:Unit |
on_status_removed | s | | out status:Status stacks:Int target:Unit |
on_status_stacks_changed | s | | out status:Status stacks:Int target:Unit |
on_unit_spawned | s | | out unit:Unit |
on_unit_died | s | | out was_kill:Bool source:Unit target:Unit |
on_enemy_behavior_start | e | | out |
on_internal_event | cse | | out | event=
on_ges_event | cse | | out | ges_event
"""

ACTIONS: Final = f"""
deal_damage | cse | in amount:Int! target:Units=subject attacker:Unit hits:Int=1 | out hp_loss:Int killed:Bool on_kill victim:Unit | kind(auto,attack,status)
lose_hp | cse | {_ON_TARGETS} | out lost:Int |
gain_hp | cse | {_ON_TARGETS} | out healed:Int |
change_max_hp | cse | {_ON_TARGETS} | out |
gain_armor | cse | {_ON_TARGETS} | out gained:Int |
lose_armor | cse | {_ON_TARGETS} | out |
gain_energy | {_ENERGY}
lose_energy | {_ENERGY}
draw_cards | cse | in count:Int=1 | out drawn:Int |
shuffle_draw_pile | cse | in | out |
add_card_to_hand | cse | in {_ADD}
add_card_to_draw_pile | cse | in {_ADD} {_POSITION}
add_card_to_discard_pile | cse | in {_ADD}
add_card_to_exhaust_pile | cse | in {_ADD}
move_card | cse | in card:Card! | out | to!(hand,draw,discard,exhaust) {_POSITION}
play_card | cse | in card:Card! target:Unit x:Int=0 | out played:Bool |
upgrade_card | cse | in card:Card! | out |
set_card_cost | cse | in card:Card! cost:Int! | out | {_UNTIL}
set_card_keyword | cse | in card:Card! | out | keyword!(exhaust,ethereal,retain,unplayable) value=true {_UNTIL}
apply_status | cse | in stacks:Int=1 target:Units=subject source:Unit=acting | out stacks:Int | status!
remove_status | cse | in target:Units=acting | out | status kind[buff,debuff,all]
change_status_stacks | cse | {_ON_TARGETS} | out | status! mode(add,set)
spawn_unit | cse | in hp:Int | out unit:Unit | enemy!
kill_unit | cse | in target:Units=acting | out |
remove_unit | cse | in target:Units=acting | out |
raise_internal_event | cse | in | out receivers:Int | event! args
raise_ges_event | cse | in | out receivers:Int | event!
set_variable | cse | in value:Int! {_VARIABLE} | out | {_SCOPE}
change_variable | cse | in value:Int! {_VARIABLE} | out | {_SCOPE}
roll_random | cse | in min:Int=0 max:Int! | out value:Int |
pick_unit | cse | in units:Units! | out unit:Unit | how(random,lowest_hp,highest_hp,first,last)
pick_card | cse | in cards:Cards! | out card:Card | how(random,first,last)
choose_card | cse | in cards:Cards! min:Int=1 max:Int=1 | out cards:Cards card:Card | prompt=
choose_option | cse | in | out index:Int | options! prompt=
end_turn | cse | in | out |
replan_intent | cse | in unit:Unit=acting | out |
"""

FLOW_NODES: Final = """
branch | cse | in condition:Bool! | true false |
sequence | cse | in | | count!
repeat | cse | in count:Int! | body out index:Int |
for_each_unit | cse | in units:Units! | body out unit:Unit |
for_each_card | cse | in cards:Cards! | body out card:Card |
once_per | cse | in | out blocked | per(turn,battle)
random_branch | cse | in | | weights!
"""

VALUES: Final = f"""
int_math | cse | a:Int! b:Int! | result:Int | op!(add,subtract,multiply,divide,modulo,min,max)
scale_percent | cse | value:Int! percent:Int! | result:Int |
clamp | cse | value:Int! min:Int! max:Int! | result:Int |
compare | cse | a:Int! b:Int! | result:Bool | op!(eq,ne,lt,le,gt,ge)
logic | cse | a:Bool! b:Bool=false | result:Bool | op!(and,or,not,xor)
select_int | cse | condition:Bool! if_true:Int! if_false:Int! | result:Int |
text_equals | cse | a:Text! b:Text! | result:Bool |
same_unit | cse | a:Unit! b:Unit! | result:Bool |
same_card | cse | a:Card! b:Card! | result:Bool |
same_status | cse | a:Status! b:Status! | result:Bool |
has_unit | cse | unit:Unit! | result:Bool |
has_card | cse | card:Card! | result:Bool |
card_info | cse | card:Card! | id:Text name:Text type:Text cost:Int paid:Int pile:Text is_exhaust:Bool is_ethereal:Bool is_retain:Bool is_innate:Bool is_unplayable:Bool upgraded:Bool upgradable:Bool |
card_is | cse | card:Card! | result:Bool | type tag id keyword[exhaust,ethereal,retain,innate,unplayable,power]
card_var | cse | card:Card=current | result:Int | name!
unit_info | cse | unit:Unit=acting | hp:Int max_hp:Int missing_hp:Int armor:Int alive:Bool is_player:Bool slot:Int intent:Text intent_amount:Int intent_hits:Int |
unit_is | cse | unit:Unit! | result:Bool | id tag status
status_info | cse | unit:Unit=acting status:Status! | stacks:Int present:Bool id:Text kind:Text |
own_status | s | | status:Status |
own_stacks | s | | result:Int |
battle_info | cse | | turn:Int energy:Int max_energy:Int hand:Int draw:Int discard:Int exhaust:Int cards_played_this_turn:Int enemies_alive:Int is_player_turn:Bool |
get_variable | cse | {_VARIABLE} | result:Int | {_SCOPE}
event_arg | cse | | | name! type!(int,bool,text,unit,card,status) scale=1
current_card | cse | | card:Card |
acting_unit | cse | | unit:Unit |
player | cse | | unit:Unit |
chosen_target | cse | | unit:Unit |
all_enemies | cse | | units:Units |
all_units | cse | | units:Units |
other_enemies | cse | | units:Units |
cards_in_pile | cse | | cards:Cards count:Int | pile!(hand,draw,discard,exhaust) type tag id
first_unit | cse | units:Units! | unit:Unit |
count_units | cse | units:Units! | result:Int |
"""

HOOKS: Final = """
damage_dealt_hook | s | | out amount:Int source:Unit target:Unit card:Card cause:Text | phase=0
damage_taken_hook | s | | out amount:Int source:Unit target:Unit card:Card cause:Text is_attack:Bool | phase=0
hp_loss_hook | s | | out amount:Int source:Unit target:Unit cause:Text is_attack:Bool | phase=0
hp_gain_hook | s | | out amount:Int target:Unit card:Card cause:Text | phase=0
armor_gain_hook | s | | out amount:Int target:Unit card:Card cause:Text | phase=0
armor_loss_hook | s | | out amount:Int target:Unit card:Card cause:Text | phase=0
card_cost_hook | cs | | out amount:Int card:Card | phase=0
status_stacks_hook | s | | out amount:Int status:Status source:Unit target:Unit cause:Text | phase=0
draw_count_hook | s | | out amount:Int | phase=0
energy_refill_hook | s | | out amount:Int | phase=0
armor_reset_hook | s | | out amount:Int target:Unit | phase=0
play_count_hook | s | | out amount:Int card:Card | phase=0
set_hook_amount | cs | in amount:Int! | | spend=0
"""

PATTERNS: Final = """
pattern_sequence | e | in | | count! loop=true
pattern_random | e | in | | weights! max_in_a_row=0
pattern_branch | e | in condition:Bool! | true false |
pattern_opening | e | in | first then |
pattern_phase | e | in | above below | hp_percent!
leaf_intent | e | in amount:Int=0 hits:Int=1 | out amount:Int hits:Int | kind!(attack,attack_defend,defend,buff,debuff,summon,special,none) text= icon=
"""

KINDS: Final = {"c": "card", "s": "status", "e": "enemy"}


@dataclass(frozen=True)
class Documented:
    """One line of the tables: ports as (name, type, default), params as (name, default, words); "!" is no default."""

    type: str
    kinds: list[str]
    inputs: list[tuple[str, str, object]]
    outputs: list[tuple[str, str]]
    params: list[tuple[str, object, tuple[str, ...]]]

    @property
    def names(self) -> list[str]:
        """All that a behaviour test has to show: data ports and params, and flow outputs but `out`."""
        ports = [name for name, type_, _ in self.inputs if type_ != "Flow"] + [
            name for name, _ in self.outputs if name != "out"
        ]
        return [*ports, *(name for name, _, _ in self.params)]


def _port(word: str) -> tuple[str, str, object]:
    name, _, rest = word.partition(":")
    if not rest:
        return (name, "Flow", None)
    if rest.endswith("!"):
        return (name, TYPES[rest[:-1]], "!")
    type_, _, default = rest.partition("=")
    return (name, TYPES[type_], _default(default) if default else None)


def _default(text: str) -> object:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdecimal() else text


def _param(word: str) -> tuple[str, object, tuple[str, ...]]:
    words: tuple[str, ...] = ()
    optional = word.endswith("]")
    if word.endswith((")", "]")):
        word, _, listed = word[:-1].replace("[", "(").partition("(")
        words = tuple(listed.split(","))
    if word.endswith("!"):
        return (word[:-1], "!", words)
    name, separator, default = word.partition("=")
    if separator:
        return (name, _default(default), words)
    return (name, words[0] if words and not optional else None, words)


def documented_nodes() -> dict[str, Documented]:
    """All documented nodes by type."""
    found: dict[str, Documented] = {}
    for line in "".join((ENTRIES, ACTIONS, FLOW_NODES, VALUES, HOOKS, PATTERNS)).strip().splitlines():
        if not line:
            continue
        parts = [part.strip() for part in line.split("|")]
        type_, kinds, inputs, outputs, params = (parts + [""] * 5)[:5]
        found[type_] = Documented(
            type_,
            [KINDS[kind] for kind in kinds],
            [_port(word) for word in inputs.split()],
            [_port(word)[:2] for word in outputs.split()],
            [_param(word) for word in params.split()],
        )
    return found
