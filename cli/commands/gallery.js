/* SPDX-License-Identifier: Zlib */
/*
 * gallery.js - the list of `teemap gallery`. The maps are in maps.js, as files are not read from the disk by
 * pages. Only the maps that are on the screen, and a few around them, are in the document; all that they say is
 * put there as plain text.
 */
'use strict';
(() => {
    const $ = id => document.getElementById(id);
    const state = word => { document.documentElement.dataset.state = word; };
    if (typeof teemapGallery === 'undefined') {
        $('unfinished').hidden = false;
        state('unfinished');
        return;
    }
    const [thumbWidth, thumbHeight] = teemapGallery.picture, maps = teemapGallery.maps;

    /* ------------------------------------------------------------------------------------------ searching */
    const fold = text => text.normalize('NFKD').replace(/\p{M}+/gu, '').toLowerCase();
    const FIELDS = {
        name: map => map.name, author: map => map.author, folder: map => map.folder, game: map => map.game,
        feature: map => map.features.flatMap(id => [id, titleOf(teemapGallery.features, id)]).join('\n'), is: map => map.is
    };
    const titleOf = (titles, id) => Object.hasOwn(titles, id) ? titles[id] : id;
    for (const map of maps) {
        map.is = (map.broken ? 'broken' : map.errors + map.warnings ? 'findings' : 'fine') + (map.moves ? '\nmoving' : '') + (map.missing ? '\nmissing' : '');
        map.text = fold(Object.values(FIELDS).map(field => field(map)).join('\n'));
    }

    const moving = maps.some(map => map.moves);
    /* A list of functions that tell whether a map is meant; "quotes" hold words together, also behind a key: folder:"solo & co". */
    let unknown = ''; /* what is wrong with a key */
    const wordsOf = query => {
        unknown = '';
        return [...query.matchAll(/(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/giu)].map(([, minus, key, quoted, plain]) => {
            const not = minus === '-', name = (key || '').toLowerCase(), known = Object.hasOwn(FIELDS, name), field = known ? FIELDS[name] : null;
            const text = fold(quoted !== undefined ? quoted : plain), part = key && !field ? `${name}:${text}` : text;
            if (key && !field && !maps.some(map => map.text.includes(part))) unknown = `There is no "${name}:". Use ${Object.keys(FIELDS).map(id => id + ':').join(', ')}.`;
            if (name === 'is' && !['fine', 'findings', 'broken', 'moving', 'missing'].includes(text)) unknown = 'After "is:" comes fine, findings, broken, moving or missing.';
            if (name === 'is' && text === 'moving' && !moving) unknown = 'No map of this gallery has an animation.';
            return field ? map => fold(field(map)).includes(part) !== not : map => map.text.includes(part) !== not;
        });
    };
    const SHOWN = {
        '': () => true, fine: map => !map.broken && !(map.errors + map.warnings), findings: map => !map.broken && map.errors + map.warnings > 0, broken: map => map.broken,
        missing: map => map.missing > 0, moves: map => map.moves
    };

    /* ------------------------------------------------------------------------------------------ sorting */
    const collator = new Intl.Collator(undefined, {numeric: true, sensitivity: 'base'});
    [...maps].sort((a, b) => collator.compare(a.name, b.name) || collator.compare(a.folder, b.folder)).forEach((map, i) => { map.byName = i; });
    [...maps].sort((a, b) => !a.author - !b.author || collator.compare(a.author, b.author) || a.byName - b.byName).forEach((map, i) => { map.byAuthor = i; });
    const ORDERS = {
        name: (a, b) => a.byName - b.byName,
        author: (a, b) => a.byAuthor - b.byAuthor,
        size: (a, b) => b.width * b.height - a.width * a.height || a.byName - b.byName,
        date: (a, b) => (b.written || 0) - (a.written || 0) || a.byName - b.byName,
        bytes: (a, b) => b.bytes - a.bytes || a.byName - b.byName,
        game: (a, b) => (a.game > b.game) - (a.game < b.game) || a.byName - b.byName,
        folder: (a, b) => collator.compare(a.folder, b.folder) || a.byName - b.byName,
        features: (a, b) => b.features.length - a.features.length || a.byName - b.byName
    };
    let shown = [], order = '', ordered = maps; /* all maps are sorted once for many searches */
    const sort = by => {
        if (by !== order) ordered = [...maps].sort(ORDERS[by]);
        order = by;
    };
    const choose = () => {
        const words = wordsOf($('search').value), game = $('game').value, feature = $('feature').value, folder = $('folder').value, only = SHOWN[$('only').value];
        sort($('sort').value);
        shown = ordered.filter(map => (!game || map.game === game) && (!feature || map.features.includes(feature)) && (!folder || map.folder === folder) && only(map) && words.every(word => word(map)));
        if ($('turn').getAttribute('aria-pressed') === 'true') shown.reverse();
    };

    /* ------------------------------------------------------------------------------------------ one map */
    const element = (name, className, text = '') => Object.assign(document.createElement(name), {className, textContent: text});
    const aloud = text => {
        const isolated = document.createElement('bdi');
        isolated.textContent = text;
        return isolated;
    };
    const sizeOf = bytes => bytes < 1024 ? `${bytes} bytes` : bytes < 1 << 20 ? `${(bytes / 1024).toFixed(bytes < 10240 ? 1 : 0)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`;
    const dateOf = map => map.written ? new Date(map.written * 1000).toISOString().slice(0, 10) : '';
    const troubleOf = map => [map.missing && `${map.missing} image${map.missing > 1 ? 's' : ''} missing`, map.errors && `${map.errors} error${map.errors > 1 ? 's' : ''}`,
        map.warnings && `${map.warnings} warning${map.warnings > 1 ? 's' : ''}`].filter(Boolean).join(', ');
    const pictureOf = map => {
        if (!map.picture) return element('span', 'none', map.broken || 'no picture');
        const image = new Image(thumbWidth, thumbHeight);
        image.alt = '';
        image.decoding = 'async';
        image.src = `maps/${map.id}.${map.picture}`;
        return image;
    };
    const makeCard = map => {
        const item = document.createElement('li'), link = element('a', 'map'), words = element('span', 'words');
        const name = element('span', 'name'), by = element('span', 'small'), facts = element('span', 'small'), trouble = troubleOf(map);
        link.href = `maps/${map.id}.html`;
        name.append(aloud(map.name));
        if (map.author) by.append('by ', aloud(map.author));
        if (map.folder) by.append(map.author ? ' in ' : 'in ', aloud(map.folder));
        if (map.written) by.append(by.textContent ? ', ' : '', dateOf(map));
        if (trouble) facts.append(element('b', '', trouble), ', ');
        facts.append(map.broken ? 'broken' : [`${map.width} \u00d7 ${map.height}`, map.game ? titleOf(teemapGallery.games, map.game) : 'no game', sizeOf(map.bytes)].join(', '));
        link.title = [map.name, trouble].filter(Boolean).join('\n');
        words.append(name, by, facts);
        link.append(pictureOf(map), words);
        item.append(link);
        return item;
    };

    /* ------------------------------------------------------------------------------------------ the list */
    const list = $('list'), GAP = 16, LEAST = 230, WORDS = 76;
    const cards = new Map(); /* index in `shown` -> element */
    let columns = 1, cardWidth = LEAST, rowHeight = 200, due = false;
    const measure = () => {
        const width = list.clientWidth;
        columns = Math.max(1, Math.floor((width + GAP) / (LEAST + GAP)));
        cardWidth = (width - GAP * (columns - 1)) / columns;
        rowHeight = Math.round(cardWidth * Math.min(thumbHeight / thumbWidth, 1)) + WORDS + GAP;
        list.style.height = Math.max(Math.ceil(shown.length / columns) * rowHeight - GAP, 0) + 'px';
    };
    const place = (item, index) => {
        const style = item.style;
        style.width = cardWidth + 'px';
        style.height = rowHeight - GAP + 'px';
        style.left = index % columns * (cardWidth + GAP) + 'px';
        style.top = Math.floor(index / columns) * rowHeight + 'px';
        item.setAttribute('aria-posinset', index + 1);
        item.setAttribute('aria-setsize', shown.length);
    };
    const cardOf = index => {
        if (!cards.has(index)) cards.set(index, makeCard(shown[index]));
        return cards.get(index);
    };
    /* The focused card stays, wherever one scrolls. */
    const wanted = () => {
        const top = -list.getBoundingClientRect().top, first = Math.floor(top / rowHeight) - 2, end = Math.ceil((top + innerHeight) / rowHeight) + 2;
        const from = Math.min(Math.max(first, 0) * columns, shown.length), to = Math.min(Math.max(end, 0) * columns, shown.length);
        const indices = Array.from({length: Math.max(to - from, 0)}, (_, i) => from + i), focused = focusedIndex();
        if (focused >= 0 && focused < from) indices.unshift(focused);
        if (focused >= to) indices.push(focused);
        return indices;
    };
    const focusedIndex = () => {
        const item = document.activeElement && document.activeElement.closest('#list li');
        return item ? Number(item.getAttribute('aria-posinset')) - 1 : -1;
    };
    const paint = () => {
        due = false;
        const indices = wanted(), keep = new Set(indices);
        for (const [index, item] of cards)
            if (!keep.has(index)) {
                item.remove();
                cards.delete(index);
            }
        let at = list.firstChild; /* cards stand in the order of the list, so that Tab goes through it */
        for (const index of indices) {
            const item = cardOf(index);
            place(item, index);
            if (item === at) at = at.nextSibling;
            else list.insertBefore(item, at);
        }
        state('ready');
    };
    const soon = () => {
        if (!due) {
            due = true;
            requestAnimationFrame(paint);
        }
    };
    const focus = index => {
        const item = cardOf(index);
        if (!item.isConnected) {
            place(item, index); /* where it belongs, as moving it later would take the focus away */
            list.insertBefore(item, [...list.children].find(other => other.getAttribute('aria-posinset') > index + 1) || null);
        }
        item.firstChild.focus();
        item.scrollIntoView({block: 'nearest'});
        paint();
    };

    /* ------------------------------------------------------------------------------------------ all of it */
    const CHOICES = ['sort', 'folder', 'game', 'feature', 'only'];
    const remember = () => {
        const words = new URLSearchParams();
        if ($('search').value) words.set('q', $('search').value);
        for (const id of CHOICES) if ($(id).value !== (id === 'sort' ? 'name' : '')) words.set(id, $(id).value);
        if ($('turn').getAttribute('aria-pressed') === 'true') words.set('reverse', '');
        try {
            history.replaceState(history.state, '', '#' + words);
        } catch (refused) { /* some browsers do not let files do that often; the list works without */ }
    };
    const recall = () => {
        const words = new URLSearchParams(location.hash.slice(1));
        $('search').value = words.get('q') || '';
        for (const id of CHOICES) {
            const value = words.get(id), known = [...$(id).options].some(option => option.value === value);
            $(id).value = known ? value : id === 'sort' ? 'name' : '';
        }
        $('turn').setAttribute('aria-pressed', String(words.has('reverse')));
    };
    const many = n => `${n.toLocaleString('en')} map${n === 1 ? '' : 's'}`;
    const show = () => {
        choose();
        for (const item of cards.values()) item.remove();
        cards.clear();
        $('count').textContent = shown.length === maps.length ? many(maps.length) : `${shown.length.toLocaleString('en')} of ${many(maps.length)}`;
        $('nothing').hidden = shown.length > 0 || maps.length === 0;
        $('unknown').textContent = unknown;
        measure();
        paint();
    };
    const change = () => {
        remember();
        show();
        if (scrollY > list.offsetTop) list.scrollIntoView();
    };
    const fill = (id, values, titles = {}) => {
        const count = new Map();
        for (const value of values) if (value) count.set(value, (count.get(value) || 0) + 1);
        for (const value of [...count.keys()].sort(collator.compare)) $(id).append(new Option(`${titleOf(titles, value)} (${count.get(value)})`, value));
    };
    fill('folder', maps.map(map => map.folder));
    fill('game', maps.map(map => map.game), teemapGallery.games);
    fill('feature', maps.flatMap(map => map.features.filter(id => Object.hasOwn(teemapGallery.features, id))), teemapGallery.features);
    $('only').querySelector('[value="moves"]').disabled = !moving;
    $('folder').parentNode.hidden = $('folder').options.length < 2;

    $('form').onsubmit = event => {
        event.preventDefault();
        if (shown.length) focus(0);
    };
    $('search').oninput = change;
    for (const id of CHOICES) $(id).onchange = change;
    $('turn').onclick = () => {
        $('turn').setAttribute('aria-pressed', String($('turn').getAttribute('aria-pressed') !== 'true'));
        change();
    };
    $('clear').onclick = () => {
        location.hash = '';
        $('search').focus();
    };
    addEventListener('hashchange', () => { recall(); show(); });
    addEventListener('scroll', soon, {passive: true});
    addEventListener('resize', () => { measure(); soon(); });
    list.addEventListener('focusin', soon);
    addEventListener('keydown', event => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName), at = focusedIndex();
        const steps = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns};
        if (event.key === '/' && !typing) {
            event.preventDefault();
            $('search').focus();
            $('search').select();
        } else if (event.key === 'ArrowDown' && event.target === $('search') && shown.length) {
            event.preventDefault();
            focus(0);
        } else if (at >= 0 && (event.key in steps || event.key === 'Home' || event.key === 'End')) {
            const to = event.key === 'Home' ? 0 : event.key === 'End' ? shown.length - 1 : at + steps[event.key];
            event.preventDefault();
            if (to >= 0 && to < shown.length) focus(to);
        }
    });
    recall();
    /* On a phone the choices are out of the way, but for those that are made. */
    const narrow = matchMedia('(max-width: 640px)'), made = CHOICES.some(id => $(id).selectedIndex > 0);
    $('filters').open = !narrow.matches || made;
    narrow.addEventListener('change', () => { $('filters').open = !narrow.matches; });
    show();
})();
