#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""King of Gores' rules for maps, in YAML, as own rules of `teemap lint`.

    kog_rules.py PATH... >kog.toml        PATH is a file, or a folder of *.yaml: map_rules
    teemap lint --config kog.toml MAP

Allowed images are the files of data/mapres (external, by name) and data/custom_mapres (embedded, NAME-SHA512.png), beside the folder
of the rules. Each rule becomes an own rule 'kog-' and its name; what own rules cannot say is left out with a line on standard error.
Needs python3-yaml. Exit status 0, or 2 when a file is not understood.
"""
import json
import os
import re
import sys

import yaml

try:
    from re import _constants as sre, _parser as sre_parser
except ImportError:  # before Python 3.11
    import sre_constants as sre
    import sre_parse as sre_parser

LAYERS = ('game', 'front', 'tele', 'speedup', 'switch', 'tune')
SEVERITIES = {'require': 'error', 'fail': 'warning', 'skip': 'note'}
UNITS = {'byte': 1, 'kb': 1 << 10, 'mb': 1 << 20, 'gb': 1 << 30}
INFO = ('author', 'version', 'credits', 'license')


class Fault(Exception):
    """What is wrong with a rule."""


class LeftOut(Exception):
    """What own rules cannot say."""


def make_id(name):
    return ('kog-' + re.sub('[^a-z0-9]+', '-', name.lower()).strip('-'))[:63]


def size_of(text):
    found = re.fullmatch(r'([0-9]+(?:\.[0-9]*)?) *([a-z]+)', str(text).lower())
    if not found or found[2] not in UNITS:
        raise Fault("'%s' is no size like 10MB: a number and Byte, KB, MB or GB" % text)
    return int(float(found[1]) * UNITS[found[2]])


def bounds(least, most):
    return '%d..%s' % (least, '' if most is None else most)


def number(params, key, otherwise):
    value = params.get(key)
    if value is not None and (not isinstance(value, int) or value < 1):
        raise Fault("'%s' is a number from 1 on" % key)
    return otherwise if value is None else value


def file_size(params):
    if not {'min_file_size', 'max_file_size'} & set(params):
        raise Fault("'max_file_size' or 'min_file_size' is missing")
    most = size_of(params['max_file_size']) if 'max_file_size' in params else None
    return [('', 'require', bounds(size_of(params.get('min_file_size', '0 byte')), most) + ' bytes')]


def tile(params):
    index, layer = number(params, 'expected_tile', 0), params.get('expected_layer')
    if not 1 <= index <= 255:
        raise Fault("'expected_tile' is an index from 1 to 255")
    most = number(params, 'max_occurances', None)
    rules = [('', 'require', '%s physics/%d:!unknown' % (bounds(number(params, 'min_occurances', 1), most), index))]
    if layer is not None:
        if str(layer).lower() not in LAYERS:
            raise Fault("'expected_layer' is Game, Front, Tele, Speedup, Switch or Tune")
        rules.append(('-layer', 'forbid', 'physics,-%s/%d:!unknown' % (layer.lower(), index)))
    return rules


def glob_of(parsed):
    """A parsed regular expression as texts with * for anything, as far as it is that: what starts with such a text fits."""
    glob = ''
    for kind, value in parsed:
        if kind == sre.LITERAL and chr(value) != '*':
            glob += chr(value)
        elif kind in (sre.MAX_REPEAT, sre.MIN_REPEAT) and value[1] == sre.MAXREPEAT and (
                value[0] == 0 and (glob.endswith('*') or takes_all(value[2])) or value[0] == 1 and not glob and takes_all(value[2])):
            glob += '' if glob.endswith('*') else '*'
        elif kind == sre.AT and value == sre.AT_BEGINNING and not glob:
            pass
        elif kind == sre.AT and value == sre.AT_END:
            return glob
        else:
            raise LeftOut('a regular expression that is more than a text with * for anything')
    return glob if glob.endswith('*') else glob + '*'


def takes_all(parsed):
    """Whether a set takes every character: [\\w\\W]."""
    if len(parsed) != 1:
        return False
    kind, value = parsed[0]
    opposites = {str(item).lower().rsplit('category_', 1)[-1] for what, item in value if what == sre.CATEGORY} if kind == sre.IN else set()
    return kind == sre.ANY or any('not_' + name in opposites for name in opposites)


def allowed(params):
    values = params.get('values')
    if params.get('type') == 'regex':
        expression = str(params.get('regex', ''))
        try:
            glob = glob_of(list(sre_parser.parse(expression)))
        except re.error as error:
            raise Fault("'%s': %s" % (expression, error)) from error
        return [glob] + ([''] if re.match(expression, '') else [])
    if params.get('type') != 'list' or not isinstance(values, list) or not values:
        raise Fault("'type' is list, with 'values', or regex")
    return [str(value) for value in values]


def field_of(params):
    if not params.get('field'):
        raise Fault("'field' is missing")
    return str(params['field'])


def setting(params):
    return [('', 'text', 'settings/' + field_of(params), allowed(params))]


def info(params):
    if field_of(params) not in INFO:
        raise Fault("'field' is author, version, credits or license")
    return [('', 'text', 'info.' + params['field'], allowed(params))]


def names_in(folder):
    return sorted(os.path.splitext(name)[0] for name in os.listdir(folder)) if os.path.isdir(folder) else None


def images(params, folder):
    del params
    data = os.path.join(os.path.dirname(os.path.abspath(folder)), 'data')
    rules = []
    for end, text, names in (('', 'images.external', names_in(os.path.join(data, 'mapres'))),
                             ('-embedded', 'images.embedded', names_in(os.path.join(data, 'custom_mapres')))):
        if names is not None:
            rules.append((end, 'text', text, names))
    if not rules:
        raise LeftOut("there is neither data/mapres nor data/custom_mapres; images that DDNet lacks are 'image-not-shipped'")
    return rules


def sounds(params):
    del params
    raise LeftOut('it finds nothing, and lists hashes of sounds')


KINDS = {('rules.file', 'FileSize'): file_size, ('rules.tile', 'Exist'): tile, ('rules.setting', 'Valid'): setting,
         ('rules.meta', 'Valid'): info, ('rules.image', 'Valid'): images, ('rules.sound', 'Valid'): sounds}


def convert(rule, folder, known):
    """The tables of own rules; `known` has the ids of each rule before this one by its name."""
    if not isinstance(rule, dict) or not rule.get('name'):
        raise Fault("'name' is missing")
    kind = KINDS.get((rule.get('module'), rule.get('class_name')))
    if not kind:
        raise Fault('%s.%s is no kind of rules that is known' % (rule.get('module'), rule.get('class_name')))
    if rule.get('type') not in SEVERITIES:
        raise Fault("'type' is require, fail or skip")
    after = []
    for name in rule.get('depends_on') or []:
        if name not in known:
            raise Fault("'depends_on': there is no rule '%s' before this one" % name)
        after += known[name]
    known[rule['name']] = []
    params = rule.get('params') or {}
    made = kind(params, folder) if kind is images else kind(params)
    tables = []
    for end, key, value, *texts in made:
        known[rule['name']].append(make_id(rule['name'])[:63 - len(end)] + end)
        table = {'id': known[rule['name']][-1], 'title': rule['name'], 'why': rule.get('description') or '',
                 'severity': SEVERITIES[rule['type']], key: value}
        if texts:
            table['allowed'] = texts[0]
        if after:
            table['after'] = after
        tables.append(table)
    return tables


def files_of(paths):
    for path in paths:
        if not os.path.isdir(path):
            yield path, os.path.dirname(os.path.abspath(path))
            continue
        names = sorted(name for name in os.listdir(path) if name.endswith(('.yaml', '.yml')))
        if not names:
            raise OSError('%s: there is no *.yaml in this folder' % path)
        for name in names:
            yield os.path.join(path, name), path


def main(paths):
    known = {}
    for path, folder in files_of(paths):
        with open(path, encoding='utf-8') as file:
            root = yaml.safe_load(file)
        if not isinstance(root, dict) or not isinstance(root.get('rules'), list):
            raise Fault("%s: 'rules' is no list of rules" % path)
        for rule in root['rules']:
            name = rule.get('name') if isinstance(rule, dict) else rule
            try:
                for table in convert(rule, folder, known):
                    print('\n[[lint.rule]]')
                    for key, value in table.items():
                        print('%s = %s' % (key, json.dumps(value, ensure_ascii=False)))
            except LeftOut as left:
                print("%s: rule '%s' is left out: %s" % (path, name, left), file=sys.stderr)
            except Fault as fault:
                raise Fault("%s: rule '%s': %s" % (path, name, fault)) from fault


if __name__ == '__main__':
    if len(sys.argv) < 2 or sys.argv[1].startswith('-'):
        sys.exit(__doc__)
    try:
        main(sys.argv[1:])
    except (Fault, OSError, yaml.YAMLError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
