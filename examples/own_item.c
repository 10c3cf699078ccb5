/* SPDX-License-Identifier: Zlib */
/*
 * An item of one's own in a map: own_item MAP OUT NOTE keeps a note in it, below the model of maps. Games and teemap skip the item
 * and keep it, as it has a UUID that they do not know; all else of the file stays as it is.
 */
#include <teemap/teemap.h>

#include <stdio.h>
#include <string.h>

static const tm_uuid notes = {{0x6e, 0x6f, 0x74, 0x65, 0x73, 0, 0x30, 0, 0x80, 0, 0, 0, 0, 0, 0, 1}};

static int fail(const char *path, const tm_error *error)
{
    char line[512];
    tm_error_format(error, line, sizeof(line));
    fprintf(stderr, "%s%s%s\n", error->path[0] ? "" : path, error->path[0] ? "" : ": ", line);
    return 2;
}

/* All items and blocks of the file, and one more of each. */
static tm_status add_all(tm_datafile_writer *writer, const tm_datafile *file, const char *note,
                         tm_error *error)
{
    tm_datafile_item item;
    tm_status status = TM_OK;
    int32_t index = 0;
    for (uint32_t i = 0; !status && tm_datafile_get_item(&item, file, i); i++)
        status = tm_datafile_writer_add_item(writer, &item, (int32_t)i, error);
    for (uint32_t i = 0; !status && i < tm_datafile_num_data(file); i++)
        status = tm_datafile_writer_add_from(&index, writer, file, i, false, error);
    if (!status)
        status = tm_datafile_writer_add_data(&index, writer, note, strlen(note) + 1, 0, error);
    /* Items are little-endian integers: the number of the block. */
    const uint8_t body[4] = {(uint8_t)index, (uint8_t)(index >> 8), (uint8_t)(index >> 16), 0};
    item = (tm_datafile_item){0, 0, sizeof(body), body, 0};
    return status ? status : tm_datafile_writer_add_uuid_item(writer, &notes, &item, TM_NONE, error);
}

int main(int argc, char **argv)
{
    tm_error error;
    tm_datafile *file;
    tm_datafile_writer *writer;
    tm_buffer out = {0};
    const tm_output output = tm_output_to_buffer(&out);
    if (argc != 4) {
        fprintf(stderr, "use: own_item MAP OUT NOTE\n");
        return 2;
    }
    if (tm_store_open_datafile(&file, argv[1], NULL, NULL, &error))
        return fail(argv[1], &error);
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    options.source = file;
    tm_status status = tm_datafile_writer_new(&writer, &options, &error);
    if (!status && (status = add_all(writer, file, argv[3], &error)) != TM_OK)
        tm_datafile_writer_free(writer);
    else if (!status)
        status = tm_datafile_writer_finish(writer, &output, NULL, NULL, &error);
    if (!status)
        status = tm_store_write_bytes(argv[2], out.bytes, out.size, NULL, &error);
    tm_datafile_close(file);
    tm_buffer_release(&out);
    return status ? fail(argv[2], &error) : 0;
}
