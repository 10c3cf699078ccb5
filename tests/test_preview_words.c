/* SPDX-License-Identifier: Zlib */
/*
 * Views by words: points, tiles by what they mean, numbers, elements by address; what a map does not have, and
 * what is no view.
 */
#include "support/lib_edit.h"
#include "support/lib_render.h"
#include "map/map.h"

#include <math.h>

enum { WIDTH = 300, HEIGHT = 200 };

static tm_map *map;
static tm_renderer *renderer;

/*
 * Group 0: the game layer and the other physics layers. Group 1, parallax 50 and offset 64, -32: quads, sound
 * sources, tiles. Group 2 has no parallax. A line of the start, from (100, 50) to (100, 53), and one far away.
 */
static void make(void)
{
    map = test_map_of(
        "add group\nadd group Sky\nadd group\nadd layer 0 game 300x200\nadd layer 0 tele\nadd layer 0 switch\n"
        "set 1.parallax.x=50 1.parallax.y=50 1.offset.x=64 1.offset.y=-32 2.parallax.x=0 2.parallax.y=0\n"
        "add layer Sky quads\nadd layer Sky sounds\nadd layer Sky tiles 100x100\nadd layer 2 quads\n"
        "add quad Sky/0 320,640 128x64\nadd quad Sky/0 0,0 6400x32\nadd quad 2/0 320,640 128x64\n"
        "add source Sky/1 224,288\nfill game@100,50+1x4 start\nfill game@200,150+1x1 start\n"
        "fill game@60,60+1x1 spawn-red\nfill game@1,1+1x1 spawn\nfill game@140,30+1x1 time-checkpoint-3\n"
        "fill tele@80,40+1x1 tele-in:5\nfill tele@180,140+1x1 tele-out:5\n"
        "fill tele@90,100+1x1 tele-checkpoint:12\nfill switch@70,70+1x1 switch-open:3\n"
        "fill Sky/2@20,30+1x1 1\nfill Sky/2@29,39+1x1 1");
    renderer = test_renderer_new(map, NULL);
}

static void drop(void)
{
    tm_renderer_free(renderer);
    tm_map_free(map);
}

static tm_camera picture(void)
{
    tm_camera camera = TM_CAMERA_INIT;
    camera.width = 640;
    camera.height = 360;
    return camera;
}

static void shows(const char *text, tm_preview_kind kind, double x, double y, double zoom)
{
    const tm_camera camera = picture();
    tm_preview_view view;
    tm_error error = {0};
    const tm_status status = tm_preview_find(&view, renderer, &camera, text, &error);
    if (status || view.x != x || view.y != y || view.kind != kind || fabs(view.zoom - zoom) > 1e-3)
        print_error("'%s': %d at %g,%g, zoom %g: %s\n", text, (int)view.kind, view.x, view.y, view.zoom,
                    error.text);
    must(status);
    assert_int_equal(view.kind, kind);
    assert_true(view.x == x && view.y == y && fabs(view.zoom - zoom) <= 1e-3);
}

TEST(tiles_are_found_by_what_they_mean)
{
    shows("12.5,-3", TM_PREVIEW_PLACE, 12.5, -3, 1);
    shows("start", TM_PREVIEW_START, 100.5, 52, 1); /* the middle of the line */
    shows("start:2", TM_PREVIEW_START, 200.5, 150.5, 1);
    /* Not beyond the edge: a view shows 1430 x 804 px. */
    shows("spawn", TM_PREVIEW_SPAWN, 22.375, 12.625, 1);
    shows("spawn:2", TM_PREVIEW_SPAWN, 60.5, 60.5, 1);
    shows("spawn-red", TM_PREVIEW_SPAWN, 60.5, 60.5, 1);
    shows("tele:5", TM_PREVIEW_PLACE, 80.5, 40.5, 1);
    shows("tele:5:2", TM_PREVIEW_PLACE, 180.5, 140.5, 1);
    shows("tele-out:5", TM_PREVIEW_PLACE, 180.5, 140.5, 1);
    shows("tele", TM_PREVIEW_PLACE, 80.5, 40.5, 1);
    shows("teleporter:1", TM_PREVIEW_PLACE, 80.5, 40.5, 1); /* the category: a place */
    shows("checkpoint:12", TM_PREVIEW_PLACE, 90.5, 100.5, 1);
    shows("checkpoint:3", TM_PREVIEW_PLACE, 140.5, 30.5, 1); /* of the time, as no teleporter has it */
    shows("switch:3", TM_PREVIEW_PLACE, 70.5, 70.5, 1);
    shows("switch-open:3", TM_PREVIEW_PLACE, 70.5, 70.5, 1);
}

TEST(elements_are_found_by_address)
{
    /* A group of parallax 50 shows at its middle what lies at offset + half of where one stands. */
    shows("1/0.quads[0]", TM_PREVIEW_PLACE, (12 - 2) * 2, (21 + 1) * 2, 1);
    shows("Sky/0.quads[1]", TM_PREVIEW_PLACE, (100 - 2) * 2, (0.5 + 1) * 2, 6400 / sqrt(1150000 * 16.0 / 9));
    shows("1/1.sources[0]", TM_PREVIEW_PLACE, (7 - 2) * 2, (9 + 1) * 2, 1);
    shows("1/2", TM_PREVIEW_PLACE, (25 - 2) * 2, (35 + 1) * 2, 1);
    shows("2/0.quads[0]", TM_PREVIEW_PLACE, WIDTH / 2.0, HEIGHT / 2.0, 1); /* anywhere */
}

TEST(envelopes_move_what_is_looked_at)
{
    must(tm_map_insert(map, TM_KIND_ENVELOPE, 0, NULL));
    map->envelopes[0].channels = TM_ENVELOPE_POSITION;
    tm_envelope_point point = {.time = 0};
    must(tmi_map_insert_elements(map, ENVELOPE_AT(0), 0, &point, 1, NULL));
    map->envelopes[0].points[0].values[0] = 1024 * 32 * 3;
    tm_quad *quads = test_edit_quads(map, 1, 0);
    quads[0].position_envelope = 0;
    shows("1/0.quads[0]", TM_PREVIEW_PLACE, (15 - 2) * 2, (21 + 1) * 2, 1);
}

static void refuses(const char *text, tm_status expected, const char *says)
{
    const tm_camera camera = picture();
    tm_preview_view view;
    tm_error error = {0};
    assert_int_equal(tm_preview_find(&view, renderer, &camera, text, &error), expected);
    if (!strstr(error.text, says))
        print_error("'%s': %s\n", text, error.text);
    assert_non_null(strstr(error.text, says));
    assert_true(view.x == 0 && view.zoom == 0);
}

TEST(what_is_not_there_is_told)
{
    refuses("finish", TM_ERROR_NOT_FOUND, "the map has no 'finish'");
    refuses("start:3", TM_ERROR_NOT_FOUND, "there are 2 such places, not 3");
    refuses("tele:6", TM_ERROR_NOT_FOUND, "the map has no 'tele:6'");
    refuses("best:99", TM_ERROR_NOT_FOUND, "views to choose from");
    refuses("1/0.quads[2]", TM_ERROR_NOT_FOUND, "no quad 2, the layer has 2");
    refuses("1/0.sources[0]", TM_ERROR_NOT_FOUND, "one of quads");
    refuses("1/1.sources[1]", TM_ERROR_NOT_FOUND, "no sound source 1");
    refuses("nowhere", TM_ERROR_USAGE, "is not a view");
    refuses("spwan", TM_ERROR_USAGE, "did you mean 'spawn'?");
    refuses("", TM_ERROR_USAGE, "is not a view");
    refuses("1,2,3", TM_ERROR_USAGE, "'1,2,3' is not a view");
    refuses("1,", TM_ERROR_USAGE, "is not a view");
    refuses(",1", TM_ERROR_USAGE, "is not a view");
    refuses("image/0", TM_ERROR_USAGE, "is not a view"); /* was told to be an image that is not there */
    refuses("sound/boom", TM_ERROR_USAGE, "is not a view");
    refuses("=Sky/9", TM_ERROR_NOT_FOUND, "there is no layer 9");
    refuses("1", TM_ERROR_USAGE, "is not a view");
    refuses("start:0", TM_ERROR_USAGE, "is not a view");
    refuses("start:2:1", TM_ERROR_USAGE, "is not a view");
    refuses("tele:", TM_ERROR_USAGE, "is not a view");
    refuses("best:x", TM_ERROR_USAGE, "best:2");
    refuses("99/0", TM_ERROR_NOT_FOUND, "there is no group 99"); /* was told to be no view */
    refuses("1/0.quads[x]", TM_ERROR_USAGE, "is not a view");
    refuses("1/0.quads[0]x", TM_ERROR_USAGE, "is not a view");
    char endless[3000];
    memset(endless, 'x', sizeof(endless) - 1);
    endless[sizeof(endless) - 1] = '\0';
    refuses(endless, TM_ERROR_USAGE, "is not a view");
    const tm_camera empty = {.size = sizeof(empty), .zoom = 1};
    tm_preview_view view;
    tm_error error;
    fails(TM_ERROR_USAGE, "width", tm_preview_find(&view, renderer, &empty, "start", &error));
}

TEST(the_best_view_has_a_word)
{
    const tm_camera camera = picture();
    tm_preview_view views[2], found;
    uint32_t num;
    must(tm_preview_views(views, &num, 2, renderer, &camera, NULL));
    must(tm_preview_find(&found, renderer, &camera, "best", NULL));
    assert_memory_equal(&found, &views[0], sizeof(found));
    must(tm_preview_find(&found, renderer, &camera, "best:2", NULL));
    assert_memory_equal(&found, &views[1], sizeof(found));
}

TEST_EACH(make, drop)
