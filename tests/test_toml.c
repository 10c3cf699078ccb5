/* SPDX-License-Identifier: Zlib */
/*
 * TOML, as toml.io has it: what each form means, and what is refused in which line. Each text is also cut at every
 * length, and read with every request for memory failing.
 */
#include "text/text.h"

#include "support/lib_failing.h"
#include "support/test.h"

/* The tree in one line: {key:value ...} [value ...] "text" 1 true ~other~ */
static void show(char *out, size_t size, const tm_json *node)
{
    size_t at = strlen(out);
    const char *separator = "";
    switch (node->kind) {
    case TM_JSON_TEXT: snprintf(out + at, size - at, "\"%s\"", node->text); return;
    case TM_JSON_NUMBER:
        if (node->whole)
            snprintf(out + at, size - at, "%lld", (long long)node->number);
        else
            snprintf(out + at, size - at, "~%s~", node->text);
        return;
    case TM_JSON_BOOL: snprintf(out + at, size - at, "%s", node->number ? "true" : "false"); return;
    default: break;
    }
    const bool table = node->kind == TM_JSON_OBJECT;
    snprintf(out + at, size - at, "%s", table ? "{" : "[");
    for (const tm_json *child = node->first; child; child = child->next, separator = " ") {
        at = strlen(out);
        snprintf(out + at, size - at, "%s%s%s", separator, table ? child->name : "", table ? ":" : "");
        show(out, size, child);
    }
    at = strlen(out);
    snprintf(out + at, size - at, "%s", table ? "}" : "]");
}

static const struct {
    const char *text, *tree;
} good[] = {
    {"", "{}"},
    {"\xef\xbb\xbf# nothing\n\n   \t# more\r\n", "{}"},
    {"a = 1", "{a:1}"},
    {"a=\"x\" # why\nb = 'y\\n'\r\n", "{a:\"x\" b:\"y\\n\"}"},
    {"a.b.c = 1\na.b.d = 2\n\"q.r\" = true\n'' = false", "{a:{b:{c:1 d:2}} q.r:true :false}"},
    {"[t]\nx = 1\n[t.u]\ny = 2\n[v . w]\nz = 3\n[v]\nk=4", "{t:{x:1 u:{y:2}} v:{w:{z:3} k:4}}"},
    {"[[l]]\na=1\n[l.sub]\nb=2\n[[l]]\na=3\n[[l.deep]]\n[[l.deep]]",
     "{l:[{a:1 sub:{b:2}} {a:3 deep:[{} {}]}]}"},
    {"a = [ 1, [\"x\", # c\n 'y' ] ,\n\n true, ]\nb=[]", "{a:[1 [\"x\" \"y\"] true] b:[]}"},
    {"a = { b = 1, c.d = 'x', e = {} }", "{a:{b:1 c:{d:\"x\"} e:{}}}"},
    {"a = \"\\b\\t\\n\\f\\r\\\"\\\\\\u00e9\\U0001f600\"", "{a:\"\b\t\n\f\r\"\\\xc3\xa9\xf0\x9f\x98\x80\"}"},
    {"a = \"\"\"\none \\\n   \n  two\r\n\"three\"\"\"\"", "{a:\"one two\n\"three\"\"}"},
    {"a = '''\n\\one\n'two'''''", "{a:\"\\one\n'two''\"}"},
    {"a = +1_000\nb = -17\nc = 0xDEAD_beef\nd = 0o755\ne = 0b1101\nf = 9223372036854775807\ng = -9223372036854775808",
     "{a:1000 b:-17 c:3735928559 d:493 e:13 f:9223372036854775807 g:-9223372036854775808}"},
    {"a = 1.5\nb = -2e10\nc = inf\nd = -nan\ne = 1979-05-27T07:32:00Z\nf = 07:32:00",
     "{a:~1.5~ b:~-2e10~ c:~inf~ d:~-nan~ e:~1979-05-27T07:32:00Z~ f:~07:32:00~}"},
    {"bare_key-1 = 1\n1234 = 2", "{bare_key-1:1 1234:2}"},
};

static const struct {
    const char *text, *fault;
} bad[] = {
    {"a", "line 1: expected = after a key"},
    {"a = ", "line 1: not a value"},
    {"\n\n= 1", "line 3: here should be a key"},
    {"a = 1 b = 2", "line 1: one line holds one key"},
    {"a = 1\na = 2", "line 2: 'a' stands in line 1, too"},
    {"a = 1\na.b = 2", "line 2: 'a' stands in line 1, too"},
    {"[a]\n[a]", "line 2: 'a' stands in line 1, too"},
    {"[a]\n[[a]]", "line 2: 'a' stands in line 1, too"},
    {"[[a]]\n[a]", "line 2: 'a' stands in line 1, too"},
    {"a = {b = 1}\n[a.c]", "line 2: 'a' stands in line 1, too"},
    {"a = {b = 1}\na.c = 2", "line 2: 'a' stands in line 1, too"},
    {"a = [1]\n[[a]]", "line 2: 'a' stands in line 1, too"},
    {"[a.b]\n[a]\nb.c = 1", "line 3: 'b' stands in line 1, too"},
    {"[a]\nb.c = 1\n[a.b]", "line 3: 'b' stands in line 2, too"},
    {"a = \"x", "line 1: a text has no end"},
    {"a = \"x\ny\"", "line 1: a text has no end"},
    {"a = '''x\n''", "line 2: a text has no end"},
    {"a = \"\\q\"", "line 1: after \\ expected"},
    {"a = \"\\u12\"", "line 1: \\u takes four"},
    {"a = \"\\ud800\"", "line 1: this number is that of no character"},
    {"a = \"\\u0000\"", "line 1: this number is that of no character"},
    {"a = \"x\x01\"", "line 1: a control character"},
    {"# \x7f", "line 1: a control character"},
    {"a = [1\nb = 2", "line 2: a list goes on with ,"},
    {"a = [1, 2", "line 1: a list goes on with ,"},
    {"a = {b = 1,}", "line 1: here should be a key"},
    {"a = {b = 1\n}", "line 1: a table in braces"},
    {"[a", "line 1: a head [...] ends with ]"},
    {"[[a]", "line 1: a head [[...]] ends with ]]"},
    {"[]", "line 1: here should be a key"},
    {"a = yes", "line 1: not a value: texts need quotes"},
    {"a = 1\n\xff", "line 2: not UTF-8"},
    {"a = \"\"\"x\"\"\"\"\"\"", "line 1: one line holds one key"},
};

static tm_status read_cut(char *tree, size_t tree_size, const char *text, size_t size,
                          const tm_allocator *allocator, tm_error *error)
{
    tmi_arena arena;
    tm_json *root;
    char *exact = test_malloc(size + 1); /* what is read behind the end shows */
    memcpy(exact, text, size);
    tmi_arena_init(&arena, allocator);
    const tm_status status = tmi_toml_read(&root, &arena, exact, size, error);
    tree[0] = '\0';
    if (!status)
        show(tree, tree_size, root);
    tmi_arena_release(&arena);
    test_free(exact);
    return status;
}

TEST(forms_have_their_meaning)
{
    char tree[1024];
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
        tm_error error = {.offset = -1};
        if (read_cut(tree, sizeof(tree), good[i].text, strlen(good[i].text), NULL, &error))
            fail_msg("%s: %s", good[i].text, error.text);
        assert_string_equal(tree, good[i].tree);
    }
}

TEST(faults_have_lines)
{
    char tree[1024];
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        tm_error error = {.offset = -1};
        if (read_cut(tree, sizeof(tree), bad[i].text, strlen(bad[i].text), NULL, &error) != TM_ERROR_DAMAGED)
            fail_msg("'%s' is read as %s", bad[i].text, tree);
        if (strncmp(error.text, bad[i].fault, strlen(bad[i].fault)) != 0)
            fail_msg("'%s': %s", bad[i].text, error.text);
    }
}

TEST(texts_may_be_cut_anywhere)
{
    char tree[1024];
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
        for (size_t size = 0; size < strlen(good[i].text); size++)
            read_cut(tree, sizeof(tree), good[i].text, size, NULL, NULL);
}

TEST(nesting_and_keys_have_bounds)
{
    char tree[64], *text = test_malloc(1 << 20);
    tm_error error = {.offset = -1};
    memcpy(text, "a=", 2);
    memset(text + 2, '[', 100000);
    fails_with(TM_ERROR_DAMAGED, "line 1: lists and tables are nested too deeply",
               read_cut(tree, sizeof(tree), text, 100002, NULL, &error));
    size_t size = 0;
    for (int i = 0; i < 5000; i++)
        size += (size_t)snprintf(text + size, 32, "k%d=1\n", i);
    error = (tm_error){.offset = -1};
    fails_with(TM_ERROR_DAMAGED, "line 4097: a table has too many keys",
               read_cut(tree, sizeof(tree), text, size, NULL, &error));
    size = 0;
    for (int i = 0; i < 100; i++)
        size += (size_t)snprintf(text + size, 32, "k.");
    assert_int_equal(read_cut(tree, sizeof(tree), text, size, NULL, &error), TM_ERROR_DAMAGED);
    test_free(text);
}

static tm_status read_small_text(const tm_allocator *allocator)
{
    char tree[1024];
    const char *text = "[[l]]\na.b = \"x\\n\"\nc = [1, {d = 2}]\n";
    tm_error error = {.offset = -1};
    return read_cut(tree, sizeof(tree), text, strlen(text), allocator, &error);
}

TEST(every_request_for_memory_may_fail)
{
    test_memory_fail_each(read_small_text);
}
