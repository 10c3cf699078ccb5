/* SPDX-License-Identifier: Zlib */
/*
 * The elements of a deflate stream (RFC 1951): its literals and matches, without the bytes that they produce,
 * to compare two streams of the same content of which one ends early; and with those bytes, where there is no
 * libdeflate: long runs, of which maps are full, are copied in wide steps, several times as fast as zlib
 * does.
 */
#include "codec.h"

enum {
    LONGEST_CODE = 15,
    TABLE_SIZE = 1 << LONGEST_CODE,
    END_SYMBOL = 256,
    MAX_LITERALS = 288,
    MAX_DISTANCES = 32,
    GIVEN_LITERALS = 286, /* that a block may give codes to; the fixed codes have more */
    GIVEN_DISTANCES = 30,
    NUM_LENGTH_CODES = 19,
    MAX_AHEAD = 8
};

/* As wide as the longest code, for a table of all 15 bits takes longer to fill than most blocks to read. */
typedef struct code_table {
    uint32_t mask;
    uint16_t entries[TABLE_SIZE]; /* by the next bits: symbol << 4 | length of its code; 0: no code */
} code_table;

struct tmi_tokens {
    const tm_allocator *allocator;
    const uint8_t *bytes;
    size_t size, at;
    uint64_t bits;
    int num_bits;
    bool in_block, last_block;
    uint32_t num_symbols; /* of the block at hand */
    uint32_t first_block; /* of the first block, once it has ended */
    code_table literals, distances;
};

/* The stream is extended by up to MAX_AHEAD zeros; reading more fails. */
static void tokens_refill(tmi_tokens *tokens)
{
    while (tokens->num_bits <= 48) {
        tokens->bits |= (uint64_t)(tokens->at < tokens->size ? tokens->bytes[tokens->at] : 0)
                        << tokens->num_bits;
        tokens->at++;
        tokens->num_bits += 8;
    }
}

static uint32_t take_bits(tmi_tokens *tokens, int num)
{
    const uint32_t value = (uint32_t)(tokens->bits & ((1u << num) - 1));
    tokens->bits >>= num;
    tokens->num_bits -= num;
    return value;
}

/*
 * Codes of the lengths that are given, as RFC 1951 3.2.2 numbers them; false if there are too many. As in
 * zlib, too few are wrong as well, except that a single code of one bit (or none) will do if `may_be_single`.
 */
static bool make_code_table(code_table *table, const uint8_t *lengths, uint32_t num, bool may_be_single)
{
    uint32_t counts[LONGEST_CODE + 2] = {0}, next[LONGEST_CODE + 2] = {0}, size = 1;
    for (uint32_t i = 0; i < num; i++)
        counts[lengths[i]]++;
    counts[0] = 0;
    for (int bits = 1; bits <= LONGEST_CODE; bits++)
        size = counts[bits] ? 1u << bits : size;
    table->mask = size - 1;
    memset(table->entries, 0, size * sizeof(*table->entries));
    for (int bits = 1; bits <= LONGEST_CODE + 1; bits++)
        next[bits] = (next[bits - 1] + counts[bits - 1]) << 1;
    if (next[LONGEST_CODE + 1] < 2u << LONGEST_CODE && (!may_be_single || size > 2))
        return false;
    for (uint32_t i = 0; i < num; i++) {
        const int length = lengths[i];
        if (length == 0)
            continue;
        uint32_t code = next[length]++, turned = 0;
        if (code >> length)
            return false;
        for (int bit = 0; bit < length; bit++)
            turned |= (code >> bit & 1) << (length - 1 - bit);
        for (uint32_t k = turned; k < size; k += 1u << length)
            table->entries[k] = (uint16_t)(i << 4 | (uint32_t)length);
    }
    return true;
}

/* A symbol; MAX_LITERALS where no code is. */
static uint32_t take_symbol(tmi_tokens *tokens, const code_table *table)
{
    const uint16_t entry = table->entries[tokens->bits & table->mask];
    take_bits(tokens, entry & 15);
    return entry ? entry >> 4 : MAX_LITERALS;
}

/* The lengths of both codes, themselves packed; the table of literals serves as the one for it. */
static bool begin_dynamic(tmi_tokens *tokens)
{
    static const uint8_t order[NUM_LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[MAX_LITERALS + MAX_DISTANCES] = {0}, own[NUM_LENGTH_CODES] = {0};
    const uint32_t num_literals = take_bits(tokens, 5) + 257, num_distances = take_bits(tokens, 5) + 1;
    const uint32_t num_own = take_bits(tokens, 4) + 4, all = num_literals + num_distances;
    for (uint32_t i = 0; i < num_own; i++) {
        tokens_refill(tokens);
        own[order[i]] = (uint8_t)take_bits(tokens, 3);
    }
    if (num_literals > GIVEN_LITERALS || num_distances > GIVEN_DISTANCES ||
        !make_code_table(&tokens->literals, own, NUM_LENGTH_CODES, false))
        return false;
    for (uint32_t i = 0; i < all;) {
        tokens_refill(tokens);
        const uint32_t symbol = take_symbol(tokens, &tokens->literals);
        if (symbol >= NUM_LENGTH_CODES || (symbol == 16 && i == 0))
            return false;
        const uint32_t run = symbol < 16    ? 1
                             : symbol == 16 ? 3 + take_bits(tokens, 2)
                             : symbol == 17 ? 3 + take_bits(tokens, 3)
                                            : 11 + take_bits(tokens, 7);
        const uint8_t size = (uint8_t)(symbol < 16 ? symbol : symbol == 16 ? lengths[i - 1] : 0);
        if (run > all - i)
            return false;
        memset(lengths + i, size, run);
        i += run;
    }
    return lengths[END_SYMBOL] && make_code_table(&tokens->literals, lengths, num_literals, true) &&
           make_code_table(&tokens->distances, lengths + num_literals, num_distances, true);
}

/* What kind of block begins, as the stream says it. */
enum { STORED_BLOCK = 0, FIXED_BLOCK = 1, DYNAMIC_BLOCK = 2 };

static uint32_t begin_block(tmi_tokens *tokens)
{
    tokens_refill(tokens);
    tokens->last_block = take_bits(tokens, 1) != 0;
    tokens->num_symbols = 0;
    tokens->in_block = true;
    return take_bits(tokens, 2);
}

static bool begin_codes(tmi_tokens *tokens, uint32_t kind)
{
    if (kind != FIXED_BLOCK)
        return kind == DYNAMIC_BLOCK && begin_dynamic(tokens);
    uint8_t lengths[MAX_LITERALS + MAX_DISTANCES]; /* the fixed ones */
    memset(lengths, 8, MAX_LITERALS);
    memset(lengths + 144, 9, 256 - 144);
    memset(lengths + 256, 7, 280 - 256);
    memset(lengths + MAX_LITERALS, 5, MAX_DISTANCES);
    return make_code_table(&tokens->literals, lengths, MAX_LITERALS, false) &&
           make_code_table(&tokens->distances, lengths + MAX_LITERALS, MAX_DISTANCES, false);
}

/* What code k of a length or distance stands for: 4 or 2 codes in a row have equally many further bits. */
static uint32_t take_number(tmi_tokens *tokens, uint32_t k, uint32_t in_row)
{
    const int extra = k < in_row ? 0 : (int)(k / in_row - 1);
    return (k < in_row ? k : (in_row + k % in_row) << extra) + take_bits(tokens, extra);
}

/* Blocks that are not packed say nothing about how somebody searched. */
bool tmi_tokens_next(tmi_tokens *tokens, uint32_t *length, uint32_t *distance)
{
    for (;;) {
        if (!tokens->in_block && (tokens->last_block || !begin_codes(tokens, begin_block(tokens))))
            return false;
        tokens_refill(tokens);
        const uint32_t symbol = take_symbol(tokens, &tokens->literals);
        if (tokens->at > tokens->size + MAX_AHEAD)
            return false;
        if (symbol == END_SYMBOL) {
            tokens->in_block = false;
            tokens->first_block = tokens->first_block ? tokens->first_block : tokens->num_symbols;
            continue;
        }
        tokens->num_symbols++;
        *length = 1;
        *distance = 0;
        if (symbol < END_SYMBOL)
            return true;
        const uint32_t k = symbol - END_SYMBOL - 1;
        *length = k < 28 ? 3 + take_number(tokens, k, 4) : k == 28 ? TMI_LONGEST_MATCH : 0;
        tokens_refill(tokens);
        const uint32_t code = take_symbol(tokens, &tokens->distances);
        *distance = code < 30 ? 1 + take_number(tokens, code, 2) : 0;
        return *length && *distance;
    }
}

uint32_t tmi_tokens_first_block(const tmi_tokens *tokens)
{
    return tokens->first_block;
}

bool tmi_tokens_ended(const tmi_tokens *tokens)
{
    return tokens->last_block && !tokens->in_block;
}

/* -------------------------------------------------------------------------------------------------- bytes */

/* The output, which is `size` bytes long; of these `num` are made. */
typedef struct made_bytes {
    uint8_t *bytes;
    size_t num, size;
} made_bytes;

/*
 * At least 56 bits (49 near the end of the input, and 45 are the most that is asked), as tokens_refill, in
 * one step where eight bytes are left. What lies above them is right, too.
 */
TMI_INLINE void refill_fast(tmi_tokens *tokens)
{
    const size_t left = tokens->at < tokens->size ? tokens->size - tokens->at : 0;
    if (left < 8) {
        tokens_refill(tokens);
        return;
    }
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word |= (uint64_t)tokens->bytes[tokens->at + (size_t)i] << 8 * i;
    tokens->bits |= word << tokens->num_bits;
    tokens->at += (size_t)((63 - tokens->num_bits) >> 3);
    tokens->num_bits |= 56;
}

/* What was read lies `distance` bytes back, and may reach into what is written. */
TMI_INLINE void repeat(made_bytes *out, size_t length, size_t distance)
{
    enum { STEP = 16 };
    uint8_t *end = out->bytes + out->num;
    const uint8_t *source = end - distance;
    const size_t room = out->size - out->num;
    out->num += length;
    if (distance >= STEP && room >= length + STEP) {
        for (size_t i = 0; i < length; i += STEP)
            memcpy(end + i, source + i, STEP);
    } else if (distance == 1) {
        memset(end, *source, length);
    } else { /* each time as much as there is of the pattern */
        while (length > 0) {
            const size_t held = (size_t)(end - source), num = length < held ? length : held;
            memcpy(end, source, num);
            end += num;
            length -= num;
        }
    }
}

static bool inflate_codes(made_bytes *out, tmi_tokens *tokens)
{
    for (;;) {
        refill_fast(tokens);
        uint32_t symbol = take_symbol(tokens, &tokens->literals);
        for (int i = 0; i < 2 && symbol < END_SYMBOL && out->num < out->size;
             i++) { /* with 56 bits are three */
            out->bytes[out->num++] = (uint8_t)symbol;
            symbol = take_symbol(tokens, &tokens->literals);
        }
        if (symbol < END_SYMBOL) {
            if (out->num == out->size)
                return false;
            out->bytes[out->num++] = (uint8_t)symbol;
            continue;
        }
        if (symbol == END_SYMBOL)
            return true;
        refill_fast(tokens);
        const uint32_t k = symbol - END_SYMBOL - 1;
        const size_t length = k < 28 ? 3 + take_number(tokens, k, 4) : k == 28 ? TMI_LONGEST_MATCH : 0;
        const uint32_t code = take_symbol(tokens, &tokens->distances);
        const size_t distance = code < 30 ? 1 + take_number(tokens, code, 2) : 0;
        if (!length || !distance || distance > out->num || length > out->size - out->num ||
            tokens->at > tokens->size + MAX_AHEAD)
            return false;
        repeat(out, length, distance);
    }
}

/* Bytes as they are, behind their number and its complement; a block of them begins at a whole byte. */
static bool inflate_stored(made_bytes *out, tmi_tokens *tokens)
{
    enum { HEAD = 4 };
    const size_t start = tokens->at - (size_t)tokens->num_bits / 8;
    tokens->bits = 0;
    tokens->num_bits = 0;
    if (start > tokens->size || tokens->size - start < HEAD)
        return false;
    const uint8_t *head = tokens->bytes + start;
    const uint32_t num = head[0] | (uint32_t)head[1] << 8;
    if ((num ^ 0xffff) != (head[2] | (uint32_t)head[3] << 8) || num > tokens->size - start - HEAD ||
        num > out->size - out->num)
        return false;
    memcpy(out->bytes + out->num, head + HEAD, num);
    out->num += num;
    tokens->at = start + HEAD + num;
    return true;
}

bool tmi_tokens_inflate(tmi_tokens *tokens, void *out, size_t size, const void *stream, size_t stream_size,
                        size_t *consumed)
{
    made_bytes made = {out, 0, size};
    const tm_allocator *allocator = tokens->allocator;
    memset(tokens, 0, offsetof(tmi_tokens, literals));
    tokens->allocator = allocator;
    tokens->bytes = stream;
    tokens->size = stream_size;
    do {
        const uint32_t kind = begin_block(tokens);
        if (kind == STORED_BLOCK ? !inflate_stored(&made, tokens)
                                 : !begin_codes(tokens, kind) || !inflate_codes(&made, tokens))
            return false;
    } while (!tokens->last_block);
    *consumed = tokens->at - (size_t)tokens->num_bits / 8;
    return made.num == size && *consumed <= stream_size;
}

tmi_tokens *tmi_tokens_new(const void *stream, size_t size, const tm_allocator *allocator)
{
    tmi_tokens *tokens = tmi_alloc(allocator, 1, sizeof(*tokens));
    if (!tokens)
        return NULL;
    memset(tokens, 0, offsetof(tmi_tokens, literals));
    tokens->allocator = allocator;
    tokens->bytes = stream;
    tokens->size = size;
    return tokens;
}

void tmi_tokens_free(tmi_tokens *tokens)
{
    if (tokens)
        tmi_free(tokens->allocator, tokens, 1, sizeof(*tokens));
}
