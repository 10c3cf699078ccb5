#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""What CI needs is tried as far as it runs without them: the steps of action.yml, with a release and without, the script of packaging/ci/gitlab.yml, the hooks.

usage: ci.py SOURCE TEEMAP      exit status 77 without the module yaml
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

try:
    import yaml
except ImportError:
    print('skipped: no module yaml')
    sys.exit(77)


def read(source, name):
    with open(os.path.join(source, name), encoding='utf-8') as file:
        return yaml.safe_load(file)


def run(command, folder, **environment):
    path = os.path.join(folder, 'bin') + os.pathsep + os.environ['PATH']
    return subprocess.run(['bash', '-c', command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, 'PATH': path, **environment})


def action_runs(source, folder):
    action = read(source, 'action.yml')
    inputs = {name: about['default'] for name, about in action['inputs'].items()}
    inputs.update(server_url='https://example.org', action_repository='teemap')
    assert action['runs']['using'] == 'composite'
    summary = os.path.join(folder, 'summary')

    def steps(**given):
        result = None
        for step in action['runs']['steps']:
            values = {**inputs, **given}
            environment = {k: re.sub(r'\$\{\{ (?:inputs|github)\.(\w+) \}\}', lambda m: values[m.group(1)], v) for k, v in step.get('env', {}).items()}
            assert not any('${{' in v for v in environment.values()), environment
            result = run(step['run'], folder, GITHUB_ACTION_PATH=source, GITHUB_STEP_SUMMARY=summary, **environment)
            if result.returncode:
                return result
        return result

    result = steps(maps='fine.map')
    assert result.returncode == 0 and result.stdout == '', result
    result = steps(page='report')
    assert result.returncode == 1 and '::error file=./bad.map,title=tele-without-out::' in result.stdout, result
    assert os.path.exists(os.path.join(folder, 'report', 'index.html'))
    with open(summary, encoding='utf-8') as file:
        assert '`tele-without-out`' in file.read()
    assert steps(maps='bad.map fine.map', arguments='--fail-on error').returncode == 1
    assert steps(maps='bad.map fine.map', arguments='--fail-on error --ignore tele-without-out').returncode == 0
    assert steps(maps='missing.map').returncode == 2


def installs(source, folder, teemap):
    """The program of a release is taken if its sum is right, refused if not, and compiled if there is none."""
    with open(os.path.join(source, 'include/teemap/base.h'), encoding='utf-8') as file:
        version = re.search(r'TM_VERSION_STRING "(.*)"', file.read()).group(1)
    name = f'teemap-{version}-linux-{os.uname().machine}'
    release, program, runner, stubs = (os.path.join(folder, 'installs', part) for part in (f'v{version}', name, 'runner', 'stubs'))
    for path in (release, program, runner, stubs):
        os.makedirs(path)
    os.symlink(teemap, os.path.join(program, 'teemap'))
    for stub in ('apt-get', 'sudo', 'cmake'):
        with open(os.path.join(stubs, stub), 'w', encoding='utf-8') as file:
            file.write('#!/bin/sh\necho "$0 $@" >>"$RUNNER_TEMP/compiled"\n')
        os.chmod(file.name, 0o755)

    def install():
        for left in os.listdir(runner):
            shutil.rmtree(os.path.join(runner, left)) if os.path.isdir(os.path.join(runner, left)) else os.remove(os.path.join(runner, left))
        plain = [path for path in os.environ['PATH'].split(os.pathsep) if not os.path.exists(os.path.join(path, 'teemap'))]
        done = subprocess.run(['bash', os.path.join(source, 'packaging/ci/install.sh')], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, 'PATH': os.pathsep.join([stubs] + plain), 'RUNNER_TEMP': runner,
                                   'GITHUB_PATH': os.path.join(runner, 'path'), 'TEEMAP_RELEASES': 'file://' + os.path.dirname(release)})
        return done, {left: os.path.join(runner, left) for left in os.listdir(runner)}

    done, left = install()
    assert 'compiled' in left and '--target teemap_cli' in open(left['compiled'], encoding='utf-8').read(), done
    archive = os.path.join(release, name + '.tar.gz')
    subprocess.run(['tar', '-C', os.path.dirname(program), '-czf', archive, name], check=True)
    sums = subprocess.run(['sha256sum', name + '.tar.gz'], cwd=release, check=True, stdout=subprocess.PIPE, text=True).stdout
    with open(os.path.join(release, 'SHA256SUMS'), 'w', encoding='utf-8') as file:
        file.write('0' * 64 + '  another-' + name + '.zip\n' + sums)
    done, left = install()
    assert done.returncode == 0 and version in done.stdout and 'compiled' not in left, done
    with open(left['path'], encoding='utf-8') as file:
        assert file.read() == left[name] + '\n'
    with open(archive, 'ab') as file:
        file.write(b'!')
    done, left = install()
    assert done.returncode == 2 and 'is not what' in done.stdout and not {name, 'path', 'compiled'} & set(left), done


def gitlab_runs(source, folder):
    job = read(source, 'packaging/ci/gitlab.yml')['teemap-lint']
    for maps, status in (('.', 1), ('fine.map', 0)):
        for line in job['script']:
            result = run(line, folder, **{**job['variables'], 'TEEMAP_MAPS': maps})
            assert result.returncode == status, result
    ElementTree.parse(os.path.join(folder, job['artifacts']['reports']['junit']))


def hooks_run(source, folder):
    hooks = {hook['id']: hook for hook in read(source, '.pre-commit-hooks.yaml')}
    for hook in hooks.values():
        assert re.search(hook['files'], 'maps/bad.map') and not re.search(hook['files'], 'bad.map.txt'), hook
    assert run(hooks['teemap-lint']['entry'] + ' bad.map fine.map', folder).returncode == 1
    assert run(hooks['teemap-lint']['entry'] + ' fine.map', folder).returncode == 0
    assert run(hooks['teemap-check']['entry'] + ' bad.map fine.map', folder).returncode == 0


def sarif_fits(source, folder):
    """SARIF against the schema of what we write; against the official one, too, if TEEMAP_SARIF_SCHEMA names its file."""
    try:
        import jsonschema
    except ImportError:
        print('without the module jsonschema: SARIF is not held against its schema')
        return
    document = json.loads(run('teemap lint --format sarif -r . missing.map', folder).stdout)
    assert len(document['runs'][0]['results']) >= 2 and not document['runs'][0]['invocations'][0]['executionSuccessful']
    empty = json.loads(run('teemap lint --format sarif fine.map', folder).stdout)
    sys.path.insert(0, os.path.join(source, 'tests/cli'))
    import schema
    validators = [dict(schema.validators(schema.load(os.path.join(source, 'docs/schema'), deep=True)))['sarif/log.json']]
    if os.environ.get('TEEMAP_SARIF_SCHEMA'):
        with open(os.environ['TEEMAP_SARIF_SCHEMA'], encoding='utf-8') as file:
            official = json.load(file)
        validators.append(jsonschema.validators.validator_for(official)(official))
    for validator in validators:
        for one in (document, empty):
            faults = ['%s: %s' % ('/'.join(map(str, e.absolute_path)), e.message[:300]) for e in validator.iter_errors(one)]
            assert not faults, faults[:5]
        broken = json.loads(json.dumps(document))
        broken['runs'][0]['results'][0]['level'] = 'bad'
        assert list(validator.iter_errors(broken)), 'the schema refuses what is wrong'
    rules = [rule['id'] for rule in document['runs'][0]['tool']['driver']['rules']]
    assert len(set(rules)) == len(rules)
    for result in document['runs'][0]['results']:
        if result['ruleId'] == 'unreadable':  # no rule was asked
            continue
        assert result['ruleId'] in rules and rules[result.get('ruleIndex', rules.index(result['ruleId']))] == result['ruleId']


def main(source, teemap):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, 'bin'))
        os.symlink(teemap, os.path.join(folder, 'bin', 'teemap'))
        made = run('teemap new -s 40x20 fine.map && teemap edit fine.map -o bad.map add group Nothing + add layer Game tele + '
                   'fill tele@3,3+1x2 tele-in-evil:5', folder)
        assert made.returncode == 0, made
        action_runs(source, folder)
        installs(source, folder, teemap)
        gitlab_runs(source, folder)
        hooks_run(source, folder)
        sarif_fits(source, folder)
    print('the action, the job, the hooks and SARIF are what they say')


if __name__ == '__main__':
    main(*(os.path.abspath(path) for path in sys.argv[1:3]))
