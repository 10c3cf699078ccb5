/* SPDX-License-Identifier: Zlib */
/*
 * Bytes in and out: inputs over memory, outputs to a growing buffer, and checked access to any input or
 * output of a caller. No files; those are in sys/.
 */
#include "base.h"

tm_input tm_input_from_memory(const void *memory, size_t size)
{
    tm_input input = {NULL, size, memory ? memory : "", NULL, NULL, NULL};
    if (!memory)
        input.size = 0;
    return input;
}

static tm_status check_range(const tm_input *input, uint64_t offset, uint64_t size, tm_error *error)
{
    if (offset <= input->size && size <= input->size - offset)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "cannot read %llu bytes at %llu: the input has %llu",
                    (unsigned long long)size, (unsigned long long)offset, (unsigned long long)input->size);
}

static tm_status call_read(const tm_input *input, uint64_t offset, void *buffer, size_t size, tm_error *error)
{
    tm_error failure;
    tmi_error_blank(&failure);
    const tm_status status = tmi_error_told(input->read(input->ctx, offset, buffer, size, &failure), &failure,
                                            error, TM_SIDE_INPUT, "the input");
    if (status != TM_OK)
        tmi_error_about(error, TM_SIDE_INPUT, input->name);
    return status;
}

tm_status tmi_input_read(const tm_input *input, uint64_t offset, void *buffer, size_t size, tm_error *error)
{
    TM_TRY(check_range(input, offset, size, error));
    if (size == 0)
        return TM_OK;
    if (!input->memory)
        return call_read(input, offset, buffer, size, error);
    memcpy(buffer, (const uint8_t *)input->memory + (size_t)offset, size);
    return TM_OK;
}

static void free_loaded(void *ctx)
{
    tmi_bytes_release(ctx);
}

tm_status tm_input_load(tm_input *input, const tm_allocator *allocator, tm_error *error)
{
    TM_TRY(tmi_need(input, "input", error));
    if (input->memory)
        return TM_OK;
    /* The name stands behind the bytes: `close` may free where it is now. */
    const size_t name_size = input->name ? strlen(input->name) + 1 : 0;
    const bool fits = input->size < SIZE_MAX - name_size;
    char *bytes = fits ? tmi_bytes_new(allocator, (size_t)input->size + name_size, false) : NULL;
    if (!bytes)
        return tmi_fail_memory(error, input->size, "a file");
    const tm_status status = tmi_input_read(input, 0, bytes, (size_t)input->size, error);
    if (status != TM_OK) {
        tmi_bytes_release(bytes);
        return status;
    }
    if (name_size)
        memcpy(bytes + input->size, input->name, name_size);
    if (input->close)
        input->close(input->ctx);
    *input = (tm_input){.ctx = bytes,
                        .size = input->size,
                        .memory = bytes,
                        .close = free_loaded,
                        .name = name_size ? bytes + input->size : NULL};
    return TM_OK;
}

tm_status tm_input_equal(bool *equal, const tm_input *a, const tm_input *b, tm_error *error)
{
    uint8_t chunk[2][8 << 10]; /* fits any thread's stack */
    TM_TRY(tmi_need(equal, "equal", error));
    *equal = false;
    TM_TRY(tmi_need(a, "a", error));
    TM_TRY(tmi_need(b, "b", error));
    bool same = a->size == b->size;
    for (uint64_t at = 0; same && at < a->size; at += sizeof(chunk[0])) {
        const size_t size = a->size - at < sizeof(chunk[0]) ? (size_t)(a->size - at) : sizeof(chunk[0]);
        TM_TRY(tmi_input_read(a, at, chunk[0], size, error));
        TM_TRY(tmi_input_read(b, at, chunk[1], size, error));
        same = memcmp(chunk[0], chunk[1], size) == 0;
    }
    *equal = same;
    return TM_OK;
}

tm_status tmi_output_write(const tm_output *output, const void *bytes, size_t size, tm_error *error)
{
    tm_error failure;
    if (size == 0)
        return TM_OK;
    tmi_error_blank(&failure);
    return tmi_error_told(output->write(output->ctx, bytes, size, &failure), &failure, error, TM_SIDE_OUTPUT,
                          "the output");
}

/* Copies by a buffer of 16 KiB, which fits any thread's stack; a function, as no other way needs so much. */
static tm_status copy_in_pieces(const tm_output *output, const tm_input *input, uint64_t offset,
                                uint64_t size, tm_error *error)
{
    uint8_t piece[16384];
    while (size) {
        const size_t step = size < sizeof(piece) ? (size_t)size : sizeof(piece);
        TM_TRY(call_read(input, offset, piece, step, error));
        TM_TRY(tmi_output_write(output, piece, step, error));
        offset += step;
        size -= step;
    }
    return TM_OK;
}

tm_status tmi_output_copy(const tm_output *output, const tm_input *input, uint64_t offset, uint64_t size,
                          tm_error *error)
{
    tm_error failure;
    TM_TRY(check_range(input, offset, size, error));
    if (size == 0)
        return TM_OK;
    if (input->memory)
        return tmi_output_write(output, (const uint8_t *)input->memory + (size_t)offset, (size_t)size, error);
    tmi_error_blank(&failure);
    if (output->copy)
        return tmi_error_told(output->copy(output->ctx, input, offset, size, &failure), &failure, error,
                              TM_SIDE_OUTPUT, "the output");
    return copy_in_pieces(output, input, offset, size, error);
}

static tm_status buffer_write(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    tm_buffer *buffer = ctx;
    size_t needed;
    TM_TRY(tmi_need(buffer, "buffer", error));
    if (!tmi_add_size(&needed, buffer->size, size))
        return tmi_fail_memory(error, UINT64_MAX, "a buffer");
    TM_TRY(tmi_grow(buffer->allocator, &buffer->bytes, &buffer->capacity, needed, 1, error));
    if (size)
        memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size = needed;
    return TM_OK;
}

tm_output tm_output_to_buffer(tm_buffer *buffer)
{
    tm_output output = {buffer, buffer_write, NULL};
    return output;
}

void tm_buffer_release(tm_buffer *buffer)
{
    if (!buffer)
        return;
    tmi_free(buffer->allocator, buffer->bytes, buffer->capacity, 1);
    buffer->bytes = NULL;
    buffer->size = 0;
    buffer->capacity = 0;
}
