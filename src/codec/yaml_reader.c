/* SPDX-License-Identifier: Zlib */
/*
 * YAML in, by libyaml: one document becomes the same tree of nodes with lines as TOML does. Its events are
 * taken one by one; anchors and tags, by which a short text becomes a large tree or something else than it
 * looks, are refused, and nesting and the keys of a table are bounded.
 */
#include "codec.h"

#include <inttypes.h>

bool tm_yaml_available(void)
{
#ifdef TEEMAP_HAVE_YAML
    return true;
#else
    return false;
#endif
}

#ifdef TEEMAP_HAVE_YAML
#include <yaml.h>

enum { YAML_NESTING = 32, YAML_KEYS = 1024 };

typedef struct yaml_reading {
    yaml_parser_t parser;
    const char *text;
    tmi_arena *arena;
    tm_error *error;
    tmi_doc *root;
    tmi_doc *open[YAML_NESTING]; /* tables and lists that are not at their end */
    uint32_t nesting;
    const char *key; /* of the next member; NULL: a key comes next */
} yaml_reading;

static tm_status yaml_fault(const yaml_reading *in, size_t line, const char *what)
{
    return tmi_fail(in->error, TM_ERROR_DAMAGED, -1, "line %zu: %s", line + 1, what);
}

static tm_status yaml_parser_fault(const yaml_reading *in)
{
    const yaml_parser_t *parser = &in->parser;
    const char *problem = parser->problem ? parser->problem : "this is no YAML";
    size_t line = parser->problem_mark.line;
    if (parser->error == YAML_MEMORY_ERROR)
        return tmi_fail_memory(in->error, 0, "YAML");
    for (size_t i = 0; parser->error == YAML_READER_ERROR && i < parser->problem_offset; i++)
        line += in->text[i] == '\n';
    return tmi_fail(in->error, TM_ERROR_DAMAGED, -1, "line %zu: %s", line + 1, problem);
}

static char *yaml_copy(const yaml_reading *in, const yaml_event_t *event)
{
    const size_t size = event->data.scalar.length;
    char *copy = tmi_arena_alloc(in->arena, size + 1, 1);
    if (copy) {
        memcpy(copy, event->data.scalar.value, size);
        copy[size] = '\0';
    }
    return copy;
}

/* A new child of what is open, or the root. */
static tm_status yaml_add(yaml_reading *in, tmi_doc **out, tmi_doc_kind kind, const yaml_event_t *event)
{
    tmi_doc *to = in->nesting ? in->open[in->nesting - 1] : NULL;
    TM_TRY(tmi_doc_add(out, to, in->arena, kind, (uint32_t)event->start_mark.line + 1, in->error));
    (*out)->key = in->key;
    in->key = NULL;
    if (!to)
        in->root = *out;
    return TM_OK;
}

/* Of plain words what they mean. */
static void yaml_know_word(tmi_doc *node)
{
    const char *text = node->text, *digits = text + (text[0] == '-');
    const size_t num = strspn(digits, "0123456789");
    const bool is_true = strcmp(text, "true") == 0;
    if (is_true || strcmp(text, "false") == 0) {
        node->kind = TMI_DOC_TRUTH;
        node->integer = is_true;
    } else if (!text[0] || strcmp(text, "~") == 0 || strcmp(text, "null") == 0) {
        node->kind = TMI_DOC_OTHER;
    } else if (num && num < 18 && !digits[num] && (digits[0] != '0' || num == 1)) {
        node->kind = TMI_DOC_INTEGER;
        for (; *digits; digits++)
            node->integer = node->integer * 10 + (*digits - '0');
        node->integer = text[0] == '-' ? -node->integer : node->integer;
    }
}

static tm_status yaml_take_key(yaml_reading *in, const yaml_event_t *event)
{
    const tmi_doc *table = in->open[in->nesting - 1];
    const size_t line = event->start_mark.line;
    in->key = yaml_copy(in, event);
    if (!in->key)
        return tmi_fail_memory(in->error, event->data.scalar.length, "YAML");
    if (table->num == YAML_KEYS)
        return yaml_fault(in, line, "a table has too many keys");
    const tmi_doc *first = tmi_doc_of(table, in->key);
    return first ? tmi_fail(in->error, TM_ERROR_DAMAGED, -1, "line %zu: '%s' stands in line %" PRIu32 ", too",
                            line + 1, in->key, first->line)
                 : TM_OK;
}

static tm_status yaml_take_scalar(yaml_reading *in, const yaml_event_t *event)
{
    tmi_doc *node;
    if (memchr(event->data.scalar.value, '\0', event->data.scalar.length))
        return yaml_fault(in, event->start_mark.line, "a control character");
    if (in->nesting && in->open[in->nesting - 1]->kind == TMI_DOC_TABLE && !in->key)
        return yaml_take_key(in, event);
    TM_TRY(yaml_add(in, &node, TMI_DOC_TEXT, event));
    node->text = yaml_copy(in, event);
    node->size = event->data.scalar.length;
    if (!node->text)
        return tmi_fail_memory(in->error, node->size, "YAML");
    if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
        yaml_know_word(node);
    return TM_OK;
}

static tm_status yaml_open(yaml_reading *in, const yaml_event_t *event, tmi_doc_kind kind)
{
    tmi_doc *node;
    if (in->nesting == YAML_NESTING)
        return yaml_fault(in, event->start_mark.line, "this is nested too deeply");
    if (in->nesting && in->open[in->nesting - 1]->kind == TMI_DOC_TABLE && !in->key)
        return yaml_fault(in, event->start_mark.line, "a key is a word");
    TM_TRY(yaml_add(in, &node, kind, event));
    in->open[in->nesting++] = node;
    return TM_OK;
}

static bool yaml_is_marked(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_ALIAS_EVENT: return true;
    case YAML_SCALAR_EVENT: return event->data.scalar.anchor || event->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor || event->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT: return event->data.mapping_start.anchor || event->data.mapping_start.tag;
    default: return false;
    }
}

static tm_status yaml_take_event(yaml_reading *in, const yaml_event_t *event)
{
    if (yaml_is_marked(event))
        return yaml_fault(in, event->start_mark.line, "anchors (& and *) and tags (!) are not read");
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return in->root ? yaml_fault(in, event->start_mark.line, "a second document begins") : TM_OK;
    case YAML_SCALAR_EVENT: return yaml_take_scalar(in, event);
    case YAML_SEQUENCE_START_EVENT: return yaml_open(in, event, TMI_DOC_LIST);
    case YAML_MAPPING_START_EVENT: return yaml_open(in, event, TMI_DOC_TABLE);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: in->nesting--; return TM_OK;
    default: return TM_OK;
    }
}

static tm_status yaml_take_all(yaml_reading *in)
{
    for (bool more = true; more;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&in->parser, &event))
            return yaml_parser_fault(in);
        const tm_status status = yaml_take_event(in, &event);
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        TM_TRY(status);
    }
    return in->root ? TM_OK : yaml_fault(in, 0, "there is nothing in it");
}

tm_status tmi_yaml_read(tmi_doc **out, tmi_arena *arena, const char *text, size_t size, tm_error *error)
{
    yaml_reading in = {.text = text, .arena = arena, .error = error};
    *out = NULL;
    if (!yaml_parser_initialize(&in.parser))
        return tmi_fail_memory(error, sizeof(in.parser), "YAML");
    yaml_parser_set_encoding(&in.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&in.parser, (const unsigned char *)text, size);
    const tm_status status = yaml_take_all(&in);
    yaml_parser_delete(&in.parser);
    if (!status)
        *out = in.root;
    return status;
}
#else
tm_status tmi_yaml_read(tmi_doc **out, tmi_arena *arena, const char *text, size_t size, tm_error *error)
{
    (void)arena;
    (void)text;
    (void)size;
    *out = NULL;
    return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                    "this library was built without libyaml, which reads YAML");
}
#endif
