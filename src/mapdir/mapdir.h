/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAPDIR_H
#define TMI_MAPDIR_H
/*
 * What the files of mapdir/ share.
 *
 *   folder_names.c    file names for objects that every file system accepts
 *   keep_names.c      finds the names that objects had in a folder that is written again
 *   keep_members.c    keeps members of JSON files that this library does not know
 *   write_layers.c    writes objects: tiles as rows of text, quads and sources as lines, pixels, sounds
 *   write_folder.c    writes all files of a map
 *   embed_files.c     replaces pixels and sounds of a map by those of files
 *   reading.c         what all readers need: findings with places, files by name, lists of names, the sidecar
 *   read_fields.c     reads members of JSON files into fields of objects
 *   read_objects.c    reads groups, envelopes, images, sounds
 *   read_layers.c     reads layers: rows of tiles, lists of quads and sources
 *   rle_blocks.c      keeps tiles run-length encoded while a map with very many of them is read
 *   read_folder.c     reads a map from a folder
 *   twmap_members.c   the members of MapDir, twmap's folder
 *   twmap_read.c      reads a map from a MapDir
 */
#include <teemap/fields.h>
#include <teemap/jobs.h>
#include <teemap/mapdir.h>

#include "../codec/codec.h"
#include "../map/map.h"
#include "../text/text.h"

/* -------------------------------------------------------------------------------------------------- names */

enum { TMI_ID_SIZE = 64, TMI_FOLDER_VERSION = 1 };

/* A list is numbered by its kind: images, sounds, envelopes, groups at the root. Behind them come the lists
   of the layers of each group: that of group g is TM_KIND_LAYER + g. */
extern const char *const tmi_list_names[TM_KIND_LAYER]; /* "images", ... */

/* The file names of the objects of a map, without endings. Borrows the map. */
typedef struct tmi_names {
    tmi_arena arena;
    const tm_map *map;
    const char ***lists; /* by list, by index */
    bool plain;          /* tm_mapdir_write_options.plain */
} tmi_names;
/* Makes the names of all objects. `before` (may be NULL): the old files of the map, whose names are kept. */
tm_status tmi_names_make(tmi_names *out, const tm_map *map, const tm_files_in *before, tm_error *error);
void tmi_names_release(tmi_names *names);
/* How many objects a list has, and the address of one of them. */
uint32_t tmi_list_num(const tm_map *map, uint32_t list);
tm_address tmi_list_at(uint32_t list, uint32_t index);
/* What follows the name of a list at the root that begins the path of a file; NULL: none does. */
const char *tmi_behind_list(const char *path);
/* The path of a list, and of a file of an object with a name in the list; at the root `names` may be NULL. */
enum { TMI_PATH_SIZE = 1024 };
void tmi_list_path(char path[TMI_PATH_SIZE], const tmi_names *names, uint32_t list);
void tmi_object_path(char path[TMI_PATH_SIZE], const tmi_names *names, uint32_t list, const char *name,
                     const char *end);

/* ----------------------------------------------------------------------------------------------- JSON out */

/* How tiles of a kind of layer are written: which fields. A tile takes at most TMI_PLAN_TEXT bytes. */
enum { TMI_PLAN_FIELDS = 8, TMI_PLAN_TEXT = 128 };
typedef struct tmi_tile_plan {
    const tm_field *fields[TMI_PLAN_FIELDS];
    uint32_t num;
    uint32_t tile_size;
    char letters[TMI_PLAN_FIELDS][8]; /* of flags: the letter of each bit, or 0 */
} tmi_tile_plan;
void tmi_tile_plan_make(tmi_tile_plan *plan, tm_layer_kind kind);
void tmi_tile_set(const tm_field *field, uint8_t *tile, int64_t value);

/* Whether an image has as many pixels as its size says. Others are written as bytes, not as a PNG. */
bool tmi_is_picture(const tm_image *image);
/*
 * Writes the JSON file of the map, its info, an image, a sound, an envelope, a group or a layer, one member a
 * line. `extra` (NULL: none): members that follow the object's own.
 */
tm_status tmi_write_object(const tmi_names *names, tm_address address, const tm_buffer *extra,
                           const tm_output *output, tm_error *error);
/* Appends the members of a file, if there is one, that no reader of this library knows: JSON for `extra`. */
tm_status tmi_unknown_members(tm_buffer *out, const tm_files_in *files, const char *name, tm_error *error);

/* ------------------------------------------------------------------------------------------------ reading */

/* A name in a list file, with its line there. */
typedef struct tmi_listed {
    const char *name;
    uint32_t index, line;
} tmi_listed;
typedef struct tmi_name_list {
    tmi_listed *names;  /* in order */
    tmi_listed *sorted; /* by name */
    uint32_t num;
    uint32_t first; /* objects in the lists before it */
} tmi_name_list;

/* The state of reading a folder. */
typedef struct tmi_reading {
    const tm_files_in *files;
    const tm_allocator *allocator;
    tm_limits limits;
    tm_findings *findings;
    tm_error *error;
    tm_status status; /* the first failure that is not about the content of files: memory, limits, input */
    tm_map *map;
    tmi_arena arena;
    bool *used; /* by file: it was opened; NULL: nobody asks */
    tmi_name_list lists[TM_KIND_LAYER];
    tmi_name_list *layers; /* by group */
    uint32_t num_objects;  /* in all lists */
    bool twmap;            /* it is a MapDir */
    bool any_tile;         /* the layer at hand has a tile that is not air */
    uint64_t parked;       /* unpacked bytes of run-length encoded blocks; they count as if they were held */
    uint64_t errors;
    tm_error first; /* of them */
} tmi_reading;

/* A file of JSON that is being read. */
typedef struct tmi_json_file {
    tmi_reading *reading;
    const char *name;
    tmi_json *json;
    tm_input input;
} tmi_json_file;

/* The list whose objects get names. */
typedef struct tmi_naming {
    tmi_names *names;
    tmi_reading *before; /* only files, allocator, limits, arena, error are set; NULL: nothing was there */
    tm_error *error;
    uint32_t list;
} tmi_naming;
/*
 * Finds the names that objects had in the folder before: `wanted` are those that they are to have, without
 * numbers to make them distinct. Sets out[i] of those that had a name there; the others stay NULL.
 */
tm_status tmi_names_recall(const tmi_naming *naming, const char *const *wanted, const char **out,
                           uint32_t num);

/* Puts a zeroed block for the tiles of a layer, as those of a kind are, in the place of another. */
tm_status tmi_tiles_new(tmi_reading *reading, tm_block **slot, tm_layer_kind kind,
                        const tm_tile_layer *tiles);
/* Run-length encodes the tiles of a layer that was read, if there are very many in memory. */
void tmi_park_layer(tmi_reading *reading, tm_layer *layer);

/* The index of a file, or TM_NONE. */
int32_t tmi_find_file(const tm_files_in *files, const char *name);
/* Whether an optional file is there, or something that is not a file, which opening it then reports. */
bool tmi_file_expected(const tmi_reading *reading, const char *name);
/* Opens a file; false, with a finding, if there is none. */
bool tmi_open_named(tmi_reading *reading, const char *name, tm_input *out);
void tmi_close_input(tm_input *input);
/* A place in a file; line 0: the file as a whole. */
typedef struct tmi_text_place {
    const char *file;
    uint32_t line, column;
} tmi_text_place;
#define TMI_WHOLE(file) ((tmi_text_place){file, 0, 0})
/* Adds a finding. */
void tmi_report_in(tmi_reading *reading, tm_finding_id id, tmi_text_place place, const char *format, ...)
    TMI_PRINTF(4, 5);
/* Adds a finding at a value of a tree, or at its name: nobody knows such a member. `ctx`: a tmi_json_file. */
tm_status tmi_report_node(void *ctx, const tm_json *node, bool unknown, const char *text);
/* Adds a finding `shift` characters behind the beginning of the current token. */
void tmi_report_token(tmi_json_file *file, tm_finding_id id, size_t shift, const char *format, ...)
    TMI_PRINTF(4, 5);
/* The index of the object with a name, or TM_NONE. */
int32_t tmi_find_name(const tmi_reading *reading, tm_kind kind, const char *name);
/* Reads a whole file and adds a NUL, which *size does not count; NULL on failure, which is reported. */
char *tmi_read_text(tmi_reading *reading, const char *name, size_t *size);
/* Reads a list of names. Without the file it is empty, which is a finding if it is `needed`. */
tm_status tmi_read_list(tmi_reading *reading, const char *path, bool needed, tmi_name_list *out);
/* Makes room for `num` names. */
tm_status tmi_name_list_new(tmi_reading *reading, tmi_name_list *out, uint32_t num);
/* Fills in `sorted`, in which names are searched. */
void tmi_sort_list(tmi_name_list *list);
/* Reads the sidecar, if there is one. */
tm_status tmi_read_kept(tmi_reading *reading, tm_sidecar *kept);

/* Opens a file that holds an object; its first member comes next. False on failure, which is reported. */
bool tmi_json_open(tmi_json_file *file, tmi_reading *reading, const char *name);
void tmi_json_close(tmi_json_file *file); /* after the object's end, or at any time */
/* Reads the next member's name; false at the end of the object, and at a fault, which is reported. */
enum { TMI_KEY_SIZE = 64 };
bool tmi_json_member(tmi_json_file *file, char key[TMI_KEY_SIZE]);
/* Reads the first token of a value; a fault is reported. */
tmi_json_token tmi_next_value(tmi_json_file *file);
/* Reports that another value is expected, and skips this one. */
void tmi_json_unexpected(tmi_json_file *file, tmi_json_token token, const char *expected);

/* Reads the value that `token` begins; NULL at a fault, which is reported. Release the arena in any case. */
tm_json *tmi_read_tree(tmi_json_file *file, tmi_json_token token, tmi_arena *arena);
/* Reads a member that is a plain field; false, with nothing read, if the target has no such field. */
bool tmi_read_member(tmi_json_file *file, const tmi_fields_of *target, const char *key);

/* What members are called: as our fields, or as in MapDir; there also which object they are of. */
enum {
    TMI_OWN_FORM = -1,
    TMI_TWMAP_FORM = 0, /* 1 to 4: points of an envelope with so many channels */
    TMI_OF_GRID = 255,  /* the size of a tile layer */
    TMI_OF_IMAGE = 254, /* the size of an image */
    TMI_OF_SOURCE = 253 /* the area of a sound source */
};
/* Reads all members of a file. */
void tmi_read_members_of(tmi_reading *reading, const char *path, const tmi_fields_of *target, int32_t form);
/* Reads the elements of a list, one object each. False: null, in our form; or no list, which is reported. */
bool tmi_read_elements(tmi_json_file *file, tm_kind owner, int32_t form, tm_buffer *out, uint32_t *num);
/* Reads a text of hexadecimal digits. */
void tmi_read_hex(tmi_json_file *file, tm_buffer *out);
/* Reads a text; false for null, and for anything else, which is reported. */
bool tmi_read_string(tmi_json_file *file, char *out, size_t size, const char *expected);
/* Keeps the first failure, which ends reading. */
void tmi_note_status(tmi_reading *reading, tm_status status);

/* Reports an unknown member, and skips its value. */
void tmi_unknown_member(tmi_json_file *file, const char *key);

/* Read a file as bytes, and as a picture, by its path. */
void tmi_read_raw(tmi_reading *reading, const char *path, tm_block **out);
void tmi_read_picture(tmi_reading *reading, const char *path, tm_image *image);
/* Read objects by the name of their file without ending. */
void tmi_read_image(tmi_reading *reading, const char *name, tm_image *image);
void tmi_read_sound(tmi_reading *reading, const char *name, tm_sound *sound);
void tmi_read_envelope(tmi_reading *reading, const char *name, tm_envelope *envelope);
void tmi_read_group(tmi_reading *reading, const char *name, tm_group *group);
void tmi_read_layer(tmi_reading *reading, const char *group, const char *name, tm_layer *layer);

/* ------------------------------------------------------------------------------------------------- MapDir */

/*
 * Lists the files of objects of a kind in a folder, whose name ends with a slash; TM_KIND_LAYER: of layers.
 */
tm_status tmi_twmap_list(tmi_reading *reading, const char *folder, tm_kind kind, tmi_name_list *out);
/* Reads what is of the whole map. */
void tmi_twmap_root(tmi_reading *reading);
/* Read objects by the name of their file without ending, as those of our form. */
void tmi_twmap_image(tmi_reading *reading, const char *name, tm_image *image);
void tmi_twmap_sound(tmi_reading *reading, const char *name, tm_sound *sound);
/*
 * Reads the type of an envelope, which says what the numbers of its points are called and need not be the
 * first member, and begins the object again; false after a fault.
 */
bool tmi_twmap_envelope_type(tmi_json_file *file, tm_envelope *envelope);
/* Makes what a layer has whose kind and size are known, and reads a member; false: it has no such member. */
void tmi_twmap_begin_layer(tmi_reading *reading, tm_layer *layer);
bool tmi_twmap_layer_member(tmi_json_file *file, tm_layer *layer, const char *key);
/* Reads a member of a file; false, with nothing read, if objects of this form have no such member. */
bool tmi_twmap_take(tmi_json_file *file, const tmi_fields_of *target, int32_t form, const char *key);
/* Takes a member of a tree; one that is unknown is reported. */
void tmi_twmap_take_node(tmi_json_file *file, const tmi_fields_of *target, int32_t form, const tm_json *node);
/* Take a number in a range, and true or false; return false for anything else, which is reported. */
bool tmi_twmap_int(tmi_json_file *file, const tm_json *node, int64_t least, int64_t most, int32_t *out);
bool tmi_twmap_bool(tmi_json_file *file, const tm_json *node, int32_t *out);

#endif
