/* SPDX-License-Identifier: Zlib */
/*
 * datafile/header.c - the 36 bytes at the start of a datafile (sections 1.1 to 1.3): their values, the
 * expected file size, and the form of `size` and `swaplen`. All sums have 64 bits.
 */
#include "datafile.h"

/* DDNet refuses a head that needs more than this together with its own tables (section 1.9, check 8). */
#define DDNET_MAX_HEAD ((uint64_t)1 << 31)
/* What DDNet keeps for each block: a pointer and an int. */
#define DDNET_BLOCK_BYTES 12
#define DDNET_MAX_TYPES   0x10000

void tmi_item_layout_place(tmi_item_layout *plan)
{
    plan->types_at = TMI_FIXED_HEAD;
    plan->item_offsets_at = plan->types_at + (uint64_t)plan->num_types * TMI_TYPE_ENTRY;
    plan->data_offsets_at = plan->item_offsets_at + (uint64_t)plan->num_items * 4;
    plan->data_sizes_at = plan->data_offsets_at + (uint64_t)plan->num_data * 4;
    plan->items_at = plan->data_sizes_at + (plan->version == 4 ? (uint64_t)plan->num_data * 4 : 0);
    plan->data_at = plan->items_at + plan->item_size;
}

/* What people give to programs that read maps, by bytes at its start or at another place. */
static const struct {
    const char *name;
    const char *start;
    size_t size, at;
} other_files[] = {
    {"a web page", "<!DOCTYPE", 9, 0},
    {"a web page", "<!doctype", 9, 0},
    {"a web page", "<html", 5, 0},
    {"a PNG picture", "\x89PNG", 4, 0},
    {"a JPEG picture", "\xff\xd8\xff", 3, 0},
    {"a GIF picture", "GIF8", 4, 0},
    {"a WebP picture or a sound", "RIFF", 4, 0},
    {"an Opus or Ogg sound", "OggS", 4, 0},
    {"a WavPack sound", "wvpk", 4, 0},
    {"a zip archive; take the map out of it", "PK\x03\x04", 4, 0},
    {"a gzip archive; unpack it first", "\x1f\x8b", 2, 0},
    {"a bzip2 archive; unpack it first", "BZh", 3, 0},
    {"an xz archive; unpack it first",
     "\xfd"
     "7zXZ",
     5, 0},
    {"a 7z archive; take the map out of it", "7z\xbc\xaf", 4, 0},
    {"a RAR archive; take the map out of it", "Rar!", 4, 0},
    {"a demo of Teeworlds or DDNet", "TWDEMO", 6, 0},
    {"a pointer of Git LFS; the file itself was not fetched", "version https://git-lfs", 23, 0},
    {"a tar archive, such as a map of ddnet-rs (.twmap.tar), which is another format", "ustar", 5, 257},
};

bool tmi_is_magic(const uint8_t *bytes)
{
    return memcmp(bytes, "DATA", 4) == 0 || memcmp(bytes, "ATAD", 4) == 0;
}

const char *tmi_other_file(const uint8_t *bytes, size_t have)
{
    for (size_t i = 0; i < TMI_COUNT_OF(other_files); i++)
        if (have >= other_files[i].at + other_files[i].size &&
            memcmp(bytes + other_files[i].at, other_files[i].start, other_files[i].size) == 0)
            return other_files[i].name;
    return NULL;
}

static bool read_magic(tm_datafile_header *header, const uint8_t *bytes, size_t have, tmi_report *report)
{
    memcpy(header->magic, bytes, 4);
    if (tmi_is_magic(bytes))
        return true;
    const char *look = tmi_other_file(bytes, have);
    if (look)
        tmi_report_at(report, TM_FINDING_BAD_MAGIC, 0, NULL, 0, "not a map file: it looks like %s", look);
    else
        tmi_report_at(report, TM_FINDING_BAD_MAGIC, 0, NULL, 0,
                      "not a map file: it begins with the bytes %02x %02x %02x %02x, not with DATA", bytes[0],
                      bytes[1], bytes[2], bytes[3]);
    if (report->status == TM_OK)
        report->status = tmi_fail(report->error, TM_ERROR_DAMAGED, 0, "not a map file");
    return false;
}

/* One count of the header; a negative one is refused or, in salvage, taken as 0. */
static uint32_t read_count(const uint8_t *bytes, uint32_t at, int32_t *field, const char *name,
                           tmi_report *report)
{
    *field = tmi_get_i32(bytes + at);
    if (*field >= 0)
        return (uint32_t)*field;
    tmi_report_at(report, TM_FINDING_BAD_COUNTS, at, NULL, 0, "the header says that %s is %ld", name,
                  (long)*field);
    return 0;
}

static void read_fields(tm_datafile *datafile, const uint8_t *bytes, tmi_report *report)
{
    tm_datafile_header *header = &datafile->header;
    tmi_item_layout *plan = &datafile->plan;
    header->version = tmi_get_i32(bytes + TMI_AT_VERSION);
    header->size = tmi_get_i32(bytes + TMI_AT_SIZE);
    header->swaplen = tmi_get_i32(bytes + TMI_AT_SWAPLEN);
    plan->version = header->version == 3 ? 3 : 4;
    if (header->version != 3 && header->version != 4)
        tmi_report_at(report, TM_FINDING_BAD_VERSION, TMI_AT_VERSION, NULL, 0,
                      "version %ld of the datafile is unknown, 3 and 4 are known", (long)header->version);
    plan->num_types =
        read_count(bytes, TMI_AT_NUM_TYPES, &header->num_item_types, "the number of item types", report);
    plan->num_items = read_count(bytes, TMI_AT_NUM_ITEMS, &header->num_items, "the number of items", report);
    plan->num_data =
        read_count(bytes, TMI_AT_NUM_DATA, &header->num_data, "the number of data blocks", report);
    plan->item_size =
        read_count(bytes, TMI_AT_ITEM_SIZE, &header->item_size, "the size of the items", report);
    plan->data_size = read_count(bytes, TMI_AT_DATA_SIZE, &header->data_size, "the size of the data", report);
    tmi_item_layout_place(plan);
}

/* Bounds that only DDNet has. False if the head is too large to be read for further findings. */
static bool check_ddnet_bounds(const tm_datafile *datafile, tmi_report *report)
{
    const tmi_item_layout *plan = &datafile->plan;
    if (plan->item_size % 4 != 0)
        tmi_report_at(report, TM_FINDING_ITEM_SIZE_ODD, TMI_AT_ITEM_SIZE, NULL, 0,
                      "the size of the items, %lu bytes, is not a multiple of 4",
                      (unsigned long)plan->item_size);
    if (report->mode != TM_MODE_STRICT)
        return true;
    if (plan->num_types > DDNET_MAX_TYPES)
        tmi_report_at(report, TM_FINDING_BAD_COUNTS, TMI_AT_NUM_TYPES, NULL, 0,
                      "%lu item types, at most %d can exist", (unsigned long)plan->num_types,
                      (int)DDNET_MAX_TYPES);
    if (plan->data_at + (uint64_t)plan->num_data * DDNET_BLOCK_BYTES <= DDNET_MAX_HEAD)
        return true;
    tmi_report_at(report, TM_FINDING_BAD_COUNTS, TMI_AT_ITEM_SIZE, NULL, 0,
                  "DDNet would need more than 2 GiB for the head: %llu bytes of it and %lu blocks",
                  (unsigned long long)plan->data_at, (unsigned long)plan->num_data);
    return false;
}

/* Compares `size` and `swaplen` with the lengths that they should tell (section 1.2). */
static void check_size_fields(tm_datafile *datafile, tmi_report *report)
{
    const tmi_item_layout *plan = &datafile->plan;
    tm_datafile_header *header = &datafile->header;
    const int64_t head = (int64_t)plan->data_at;
    const struct {
        int64_t full, length;
        bool *crude;
        tm_finding_id bad;
        uint32_t at;
        const char *name;
    } fields[] = {{(int64_t)header->size + TMI_UNCOUNTED, head + plan->data_size, &header->crude_size,
                   TM_FINDING_BAD_SIZE_FIELD, TMI_AT_SIZE, "size"},
                  {(int64_t)header->swaplen + TMI_UNCOUNTED, head, &header->crude_swaplen,
                   TM_FINDING_BAD_SWAPLEN_FIELD, TMI_AT_SWAPLEN, "swaplen"}};
    datafile->sizes_fine = true;
    for (size_t i = 0; i < TMI_COUNT_OF(fields); i++) {
        const int64_t missing = fields[i].length - fields[i].full;
        *fields[i].crude = plan->version == 4 && missing != 0 && missing == 4 * (int64_t)plan->num_data;
        if (missing == 0 || *fields[i].crude)
            continue;
        datafile->sizes_fine = false;
        tmi_report_at(report, fields[i].bad, fields[i].at, NULL, 0, "%s is %ld, but should be %lld",
                      fields[i].name, (long)(fields[i].full - TMI_UNCOUNTED),
                      (long long)fields[i].length - TMI_UNCOUNTED);
    }
    if (!header->crude_size && !header->crude_swaplen)
        return;
    const char *fields_text = header->crude_size ? "size" : "swaplen";
    if (header->crude_size && header->crude_swaplen)
        fields_text = "size and swaplen";
    tmi_report_at(report, TM_FINDING_CRUDE_SIZES, header->crude_size ? TMI_AT_SIZE : TMI_AT_SWAPLEN, NULL, 0,
                  "the table of unpacked sizes is left out of %s, as by writers before September 2010",
                  fields_text);
}

bool tmi_read_header(tm_datafile *datafile, const uint8_t *bytes, size_t have, tmi_report *report)
{
    tm_datafile_header *header = &datafile->header;
    const tmi_item_layout *plan = &datafile->plan;
    const uint64_t real = datafile->input.size - (uint64_t)datafile->shift;
    header->file_size = datafile->input.size;
    if (have >= 4 && !read_magic(header, bytes, have, report))
        return false;
    if (have < TMI_FIXED_HEAD) {
        report->mode = TM_MODE_GAME; /* there is nothing to rescue: told once, as what refuses the file */
        if (have == 0)
            tmi_report_at(report, TM_FINDING_HEAD_CUT, 0, NULL, 0, "not a map file: the file is empty");
        else
            tmi_report_at(report, TM_FINDING_HEAD_CUT, have, NULL, 0,
                          "the file ends inside its header: %lu of 36 bytes are there", (unsigned long)have);
        return false;
    }
    read_fields(datafile, bytes, report);
    header->head_size = plan->data_at + (uint64_t)datafile->shift;
    if (report->status != TM_OK)
        return false;
    bool readable = check_ddnet_bounds(datafile, report);
    const uint64_t announced = plan->data_at + plan->data_size; /* against the real length (check 5) */
    if (plan->data_at > real)
        tmi_report_at(report, TM_FINDING_HEAD_CUT, real, NULL, 0,
                      "the file ends inside its head: %llu of %llu bytes are there", (unsigned long long)real,
                      (unsigned long long)plan->data_at);
    else if (announced > real)
        tmi_report_at(report, TM_FINDING_DATA_CUT, real, NULL, 0,
                      "the file ends inside its data: %llu of %llu bytes are there", (unsigned long long)real,
                      (unsigned long long)announced);
    else if (announced < real)
        tmi_report_at(report, TM_FINDING_TRAILING_BYTES, announced, NULL, 0,
                      "%llu bytes follow the end of the data", (unsigned long long)(real - announced));
    check_size_fields(datafile, report);
    return readable && (plan->data_at <= real || report->mode == TM_MODE_SALVAGE);
}
