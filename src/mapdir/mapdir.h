/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAPDIR_H
#define TMI_MAPDIR_H
/*
 * What the files of mapdir/ share: the names of objects, text out, values as text, reading with places.
 *
 *   folder_names.c    names of objects that every file system takes
 *   keep_names.c      which of them is which, in a folder that is written once more
 *   keep_members.c    what others put into its files
 *   write_layers.c    tiles as rows, quads and sources as lines, pixels, sounds
 *   write_folder.c    the files of a map
 *   embed_files.c     pixels and sounds from files into a map
 *   read_fields.c     files of JSON into members of objects
 *   read_layers.c     layers, with rows and lines into blocks
 *   read_objects.c    groups, envelopes, images, sounds
 *   reading.c         findings with their places, files by name, lists of names, lines, what was kept
 *   read_folder.c     files into a map
 */
#include <teemap/fields.h>
#include <teemap/jobs.h>
#include <teemap/mapdir.h>

#include "../codec/codec.h"
#include "../map/map.h"
#include "../text/text.h"

/* -------------------------------------------------------------------------------------------------- names */

enum { TMI_ID_SIZE = 64, TMI_FOLDER_VERSION = 1 };

/* The kinds of objects with a list of their own at the root; layers have one in each group. */
enum { TMI_LISTS = 4 };                             /* tm_object: images, sounds, envelopes, groups */
extern const char *const tmi_list_names[TMI_LISTS]; /* "images", ... */

typedef struct tmi_names {
    tmi_arena arena;
    const char **of[TMI_LISTS]; /* by tm_object, by index */
    uint32_t num[TMI_LISTS];
    const char ***layers; /* by group, by index */
    bool plain;           /* tm_mapdir_write_options.plain */
} tmi_names;
/* `before` (may be NULL): files of the map as it was, whose names are kept. */
tm_status tmi_names_make(tmi_names *out, const tm_map *map, const tm_files_in *before, tm_error *error);
void tmi_names_release(tmi_names *names);
/* Without regard to upper and lower case of ASCII, as some file systems compare. */
int tmi_compare_folded(const char *a, const char *b);

/* ----------------------------------------------------------------------------------------------- JSON out */

/* Begins the file of an object, a member a line, and ends it: with `status` if that is a failure. */
tmi_object_out tmi_object_start(tmi_out *to, const tmi_names *names, const tm_output *output,
                                tm_error *error);
tm_status tmi_object_end(tmi_out *to, tm_status status);

/* Rows of tiles as texts, and a tile as text; at most TMI_PLAN_TEXT bytes. */
enum { TMI_PLAN_FIELDS = 8, TMI_PLAN_TEXT = 128 };
typedef struct tmi_tile_plan {
    const tm_field *fields[TMI_PLAN_FIELDS];
    uint32_t num;
    uint32_t tile_size;
    char letters[TMI_PLAN_FIELDS][8]; /* of flags: the letter of each bit, or 0 */
} tmi_tile_plan;
void tmi_tile_plan_make(tmi_tile_plan *plan, tm_layer_kind kind);
int64_t tmi_tile_get(const tm_field *field, const uint8_t *tile);
void tmi_tile_set(const tm_field *field, uint8_t *tile, int64_t value);

/* Whether the pixels are as many as the size says; else their bytes stand in the file. */
bool tmi_is_picture(const tm_image *image);
tm_status tmi_write_pixels(const tm_map *map, const tm_image *image, const tm_output *output,
                           tm_error *error);
tm_status tmi_write_block(const tm_map *map, const tm_block *block, const tm_output *output, tm_error *error);
/* The file of an image, a sound, an envelope, a group or a layer. */
tm_status tmi_write_object(const tm_map *map, const tmi_names *names, tm_address at, const tm_output *output,
                           tm_error *error);

/* ----------------------------------------------------------------------------------------- files of a map */

enum { TMI_PATH_SIZE = 1024 };

typedef struct tmi_writing tmi_writing;

/* `index` is the object's, and `layer` its kind; of layers that of the group, of lists the kind. */
typedef enum tmi_piece_kind {
    TMI_PIECE_MAP,
    TMI_PIECE_INFO,
    TMI_PIECE_SETTINGS,
    TMI_PIECE_SIDECAR,
    TMI_PIECE_ASSETS, /* the list of what is embedded */
    TMI_PIECE_LIST,
    TMI_PIECE_LAYER_LIST,
    TMI_PIECE_OBJECT,
    TMI_PIECE_EMBEDDED, /* the picture of an image, or a sound */
    TMI_PIECE_LAYER
} tmi_piece_kind;

/* One file. */
typedef struct tmi_piece {
    tmi_piece_kind kind;
    const tmi_writing *of;
    uint32_t index, layer;
} tmi_piece;

struct tmi_writing {
    const tm_map *map;
    const tm_files_out *files;
    tm_mapdir_write_options options;
    bool extract; /* only what is embedded, and what stands in texts */
    tmi_names names;
    tmi_piece *pieces;
    uint32_t num;
};

void tmi_piece_path(char path[TMI_PATH_SIZE], const tmi_piece *at);
tm_status tmi_piece_put(void *piece, const tm_output *output, tm_error *error);
/* Whether a piece is to have the unknown members of its old file, and what writes it then. */
bool tmi_keeps_members(const tmi_piece *at, const char *path);
tm_status tmi_put_keeping(void *piece, const tm_output *output, tm_error *error);

/* ------------------------------------------------------------------------------------------------ reading */

/* A list of names, as it stands in a file. */
typedef struct tmi_listed {
    const char *name;
    uint32_t index, line;
} tmi_listed;
typedef struct tmi_name_list {
    tmi_listed *names;  /* in order */
    tmi_listed *sorted; /* by name */
    uint32_t num;
} tmi_name_list;

/* The reading of a set of files. */
typedef struct tmi_reading {
    const tm_files_in *files;
    const tm_allocator *allocator;
    tm_limits limits;
    tm_findings *findings;
    tm_error *error;
    tm_status status; /* the first failure that is no fault of the files' content */
    tm_map *map;
    tmi_arena arena;
    bool *used; /* by file */
    tmi_name_list lists[TMI_LISTS];
    tmi_name_list *layers; /* by group */
    bool any_tile;         /* in the layer at hand: there is a tile that is not air */
    uint64_t parked;       /* bytes that were packed again; they count as if they were held */
    uint64_t errors;
    char first[TM_ERROR_TEXT_SIZE]; /* the first error, for the status */
    char first_place[TM_ERROR_PLACE_SIZE];
} tmi_reading;

/* A file of JSON that is being read. */
typedef struct tmi_json_file {
    tmi_reading *reading;
    const char *name;
    tmi_json *json;
    tm_input input;
} tmi_json_file;

/* A list of objects that are to have the names that they had, if any. */
typedef struct tmi_old_names {
    tmi_reading *before; /* only files, used, allocator, limits, arena and error are there */
    const char *folder, *list;
    bool group; /* they are groups, with files of layers below */
    uint32_t num;
    const char *const *names; /* without numbers behind them */
    const char **out;         /* of `before`, or left alone */
    void *ctx;
    /* Writes the file of an object, and of a group those of its layers, one behind the other. */
    tm_status (*write)(void *ctx, uint32_t index, const tm_output *output, tm_error *error);
} tmi_old_names;
tm_status tmi_names_recall(const tmi_old_names *of);

/* A zeroed block for tiles. */
tm_status tmi_tiles_new(tmi_reading *reading, tm_block **out, tmi_encoding view, uint64_t size);
/* Packs the tiles of a layer that was read, if there are many in memory. */
void tmi_park_layer(tmi_reading *reading, tm_layer *layer);

/* Index of a file by its name; TM_NONE. */
int32_t tmi_find_file(const tm_files_in *files, const char *name);
/* Of a file that may be missing: whether it is there, or something that is none, which opening it tells. */
bool tmi_file_expected(const tmi_reading *reading, const char *name);
/* False, with a finding, if there is no such file. */
bool tmi_open_named(tmi_reading *reading, const char *name, tm_input *out);
void tmi_close_input(tm_input *input);
/* A place in a file; line 0: the file as a whole. */
typedef struct tmi_text_place {
    const char *file;
    uint32_t line, column;
} tmi_text_place;
#define TMI_WHOLE(file) ((tmi_text_place){file, 0, 0})
void tmi_find_in(tmi_reading *reading, tm_finding_id id, tmi_text_place place, const char *format, ...)
    TMI_PRINTF(4, 5);
/* At the token at hand, `shift` characters behind its beginning. */
void tmi_find_token(tmi_json_file *file, tm_finding_id id, size_t shift, const char *format, ...)
    TMI_PRINTF(4, 5);
/* Where a list has a name; TM_NONE. */
int32_t tmi_find_name(const tmi_reading *reading, tm_object kind, const char *name);
/* The lines of a text, without byte order mark and ends of lines; `read` returns false to stop. */
uint32_t tmi_count_lines(const char *bytes, size_t size);
bool tmi_each_line(char *bytes, size_t size, bool (*read)(void *ctx, char *line, uint32_t number), void *ctx);
/* A whole file, ending with a NUL that does not count; NULL after having told why not. Free with size + 1. */
char *tmi_read_text(tmi_reading *reading, const char *name, size_t *size);
/* Without the file the list is empty; `needed`: which is told. */
tm_status tmi_read_list(tmi_reading *reading, const char *path, bool needed, tmi_name_list *out);
/* Room for so many names. */
tm_status tmi_name_list_new(tmi_reading *reading, tmi_name_list *out, uint32_t num);
/* Sorts the names of a list, so that they are found. */
void tmi_sort_list(tmi_name_list *list);
/* Room in the map for as many objects as the lists have. */
tm_status tmi_reserve_listed(tmi_reading *reading, tm_object kind);
tm_status tmi_reserve_layers(tmi_reading *reading);
tm_status tmi_read_kept(tmi_reading *reading, tm_sidecar *kept);

/* Opens a file whose outermost value is an object, and stands behind its brace. */
bool tmi_json_open(tmi_json_file *file, tmi_reading *reading, const char *name);
void tmi_json_close(tmi_json_file *file); /* after the object's end, or at any time */
/* The next member's name into `key`; false at the end of the object, and at a fault, which is reported. */
enum { TMI_KEY_SIZE = 64 };
bool tmi_json_member(tmi_json_file *file, char key[TMI_KEY_SIZE]);
/* The next token where a value is to be; a fault is reported. */
tmi_json_token tmi_next_value(tmi_json_file *file);
/* Tells that another value is expected, and skips this one. */
void tmi_json_unexpected(tmi_json_file *file, tmi_json_token token, const char *expected);

/* The value that `token` begins, until the arena is released in any case; NULL at a fault, which is told. */
tm_json *tmi_read_tree(tmi_json_file *file, tmi_json_token token, tmi_arena *arena);
/* Takes the value of a member that is a plain field; false, with nothing read, if there is no such field. */
bool tmi_read_member(tmi_json_file *file, const tmi_fields_of *target, const char *key);
/* All members of a file. `rows`: MapDir's names of the members; NULL: those of the fields. */
struct tmi_rows;
void tmi_read_members_of(tmi_reading *reading, const char *path, const tmi_fields_of *target,
                         const struct tmi_rows *rows);
/*
 * Elements of a list, one object each, into a growing array of `owner`; false for null, which MapDir (its
 * rows) does not have.
 */
bool tmi_read_elements(tmi_json_file *file, tm_owner owner, const struct tmi_rows *rows, tm_buffer *out,
                       uint32_t *num);
/*
 * Reads the kind and the size of a layer, gives it these and the first values of all other fields, and begins
 * the object again; false after a fault. `take` reads one of these members into a layer.
 */
typedef bool tmi_layer_head(tmi_json_file *file, tm_layer *head, const char *key);
bool tmi_layer_begin(tmi_json_file *file, tm_layer *layer, const char *kind_key, tmi_layer_head *take);
/* Quads or sources into the block of a layer, with bytes of the file behind them (may be NULL). */
void tmi_keep_elements(tmi_reading *reading, tm_layer *layer, const tm_buffer *elements, uint32_t num,
                       const tm_buffer *rest);
/* Digits of bytes. */
void tmi_read_hex(tmi_json_file *file, tm_buffer *out);
/* A text, into `out`; false, and told, for anything else. */
bool tmi_read_string(tmi_json_file *file, char *out, size_t size, const char *expected);
/* Notes a failure that ends everything. */
void tmi_note_status(tmi_reading *reading, tm_status status);

/* Tells a member that nothing knows, and skips its value. */
void tmi_unknown_member(tmi_json_file *file, const char *key);

/* A row of tiles, which is the token at hand. */
/* A file of bytes, and a PNG or WebP, by its whole name. */
void tmi_read_raw(tmi_reading *reading, const char *path, tm_block **out);
void tmi_read_picture(tmi_reading *reading, const char *path, tm_image *image);
void tmi_read_image(tmi_reading *reading, const char *name, tm_image *image);
void tmi_read_sound(tmi_reading *reading, const char *name, tm_sound *sound);
void tmi_read_envelope(tmi_reading *reading, const char *name, tm_envelope *envelope);
/* All objects of the lists; layers by the names of their group and their own. */
typedef struct tmi_object_readers {
    void (*image)(tmi_reading *reading, const char *name, tm_image *image);
    void (*sound)(tmi_reading *reading, const char *name, tm_sound *sound);
    void (*envelope)(tmi_reading *reading, const char *name, tm_envelope *envelope);
    void (*group)(tmi_reading *reading, const char *name, tm_group *group);
    void (*layer)(tmi_reading *reading, const char *group, const char *name, tm_layer *layer);
} tmi_object_readers;
void tmi_read_objects(tmi_reading *reading, const tmi_object_readers *readers);
/* MapDir: whether this is such a folder, its lists, which its files make, and its objects. */
bool tmi_is_twmap(const tmi_reading *reading);
tm_status tmi_twmap_read_lists(tmi_reading *reading);
void tmi_twmap_read_objects(tmi_reading *reading);
void tmi_read_group(tmi_reading *reading, const char *name, tm_group *group);
void tmi_take_points(tmi_reading *reading, tm_envelope *envelope, const tm_buffer *points, uint32_t num);
void tmi_read_layer(tmi_reading *reading, const char *group, const char *name, tm_layer *layer);

#endif
