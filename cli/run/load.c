/* SPDX-License-Identifier: Zlib */
/*
 * load.c - opens, hashes and loads a map. The hashes are of the file as it is, so they exist for broken maps
 * too.
 */
#include "load.h"

#include "files.h"

#include <teemap/codec.h>

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that are read at a time for hashing. */
#define PIECE ((size_t)128 * 1024)

static tm_status hash_pieces(EVP_MD_CTX *sha, uint32_t *crc, const tm_input *input, unsigned char *piece,
                             tm_error *error)
{
    tm_status status = TM_OK;
    for (uint64_t at = 0; at < input->size && !status;) {
        size_t size = input->size - at < PIECE ? (size_t)(input->size - at) : PIECE;
        const unsigned char *bytes = input->memory ? (const unsigned char *)input->memory + at : piece;
        if (!input->memory)
            status = input->read(input->ctx, at, piece, size, error);
        if (!status) {
            EVP_DigestUpdate(sha, bytes, size);
            *crc = tm_crc32(*crc, bytes, size);
        }
        at += size;
    }
    return status;
}

static tm_status hash_input(loaded *out, const tm_input *input)
{
    unsigned char *piece = must_alloc(PIECE, 1);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    uint32_t crc = 0;
    EVP_MD_CTX *sha = EVP_MD_CTX_new();
    if (!sha || EVP_DigestInit_ex(sha, EVP_sha256(), NULL) != 1)
        out_of_memory();
    tm_status status = hash_pieces(sha, &crc, input, piece, &out->error);
    EVP_DigestFinal_ex(sha, digest, &size);
    EVP_MD_CTX_free(sha);
    free(piece);
    for (unsigned i = 0; i < size && i < 32; i++)
        snprintf(out->sha256 + 2 * (size_t)i, 3, "%02x", digest[i]);
    snprintf(out->crc32, sizeof(out->crc32), "%08lx", (unsigned long)crc);
    out->hashed = status == TM_OK;
    return status;
}

void load_map(loaded *out, const char *path, tm_mode mode, bool hash)
{
    *out = (loaded){0};
    tm_findings_init(&out->findings, 0, NULL);
    tm_input input;
    out->status = open_path(&input, path, &out->error);
    if (out->status)
        return;
    out->file_size = input.size;
    if (hash) {
        out->status = hash_input(out, &input);
        if (out->status) {
            if (input.close)
                input.close(input.ctx);
            return;
        }
    }
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    options.mode = mode;
    out->status = tm_mapfile_load(&out->map, input, &options, &out->findings, &out->error);
    out->opened = out->status != TM_ERROR_IO;
}

void loaded_release(loaded *file)
{
    tm_map_free(file->map);
    tm_findings_release(&file->findings);
    *file = (loaded){0};
}
