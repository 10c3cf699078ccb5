// SPDX-License-Identifier: Zlib

// Drives jxsl13's twmap for Go in one process, so that it pays for starting only once:
//
//	peer accept|info|parse|save LIST [FOLDER]
//	peer draws LIST
//	peer views MAP FOLDER X,Y...
//	peer thumbnails LIST FOLDER
//
// accept prints the paths of LIST that it can parse and write. The others do one round over LIST and print a line
// like those of the floor programs, without a sum: its model is not comparable. draws prints the paths that it can
// draw; views writes a PNG of each view (centres in tiles), thumbnails one of each map. It knows no fractions of a
// tile: a view of 1920 x 1080 pixels is 45 x 25 tiles here.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/jxsl13/twmap"
	_ "github.com/jxsl13/twmap/external"
)

const viewWidth, viewHeight = 45, 25

func info(path, folder string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = twmap.ParseInfo(bufio.NewReader(file))
	return err
}

func load(path string) (*twmap.Map, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return twmap.Parse(bytes.NewReader(data), twmap.WithRequireInfo(false))
}

func parse(path, folder string) error {
	_, err := load(path)
	return err
}

func write(path string, target io.Writer) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("panic: %v", problem)
		}
	}()
	loaded, err := load(path)
	if err != nil {
		return err
	}
	return loaded.Write(target)
}

func save(path, folder string) error {
	file, err := os.Create(filepath.Join(folder, filepath.Base(path)))
	if err != nil {
		return err
	}
	defer file.Close()
	buffered := bufio.NewWriter(file)
	if err := write(path, buffered); err != nil {
		return err
	}
	return buffered.Flush()
}

func draw(loaded *twmap.Map, options ...twmap.RenderOption) (picture *image.NRGBA, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("panic: %v", problem)
		}
	}()
	return twmap.RenderMap(loaded, options...)
}

func savePicture(picture *image.NRGBA, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	buffered := bufio.NewWriter(file)
	if err := png.Encode(buffered, picture); err != nil {
		return err
	}
	return buffered.Flush()
}

func drawThumbnail(path string) (*image.NRGBA, error) {
	loaded, err := load(path)
	if err != nil {
		return nil, err
	}
	return draw(loaded, twmap.WithMaxSize(360, 225))
}

func thumbnail(path, folder string) error {
	picture, err := drawThumbnail(path)
	if err != nil {
		return err
	}
	return savePicture(picture, filepath.Join(folder, filepath.Base(path)+".png"))
}

func views(path, folder string, centres []string) error {
	loaded, err := load(path)
	if err != nil {
		return err
	}
	for i, centre := range centres {
		var x, y float64
		if _, err := fmt.Sscanf(centre, "%g,%g", &x, &y); err != nil {
			return err
		}
		left, top := int(x)-viewWidth/2, int(y)-viewHeight/2
		picture, err := draw(loaded, twmap.WithCamera(x, y), twmap.WithDetail(true), twmap.WithMaxSize(1920, 1080),
			twmap.WithRegion(twmap.MapBounds{MinX: left, MinY: top, MaxX: left + viewWidth, MaxY: top + viewHeight}))
		if err == nil {
			err = savePicture(picture, filepath.Join(folder, fmt.Sprintf("view-%d.png", i)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func readList(path string) []string {
	var lines []string
	file, err := os.Open(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	defer file.Close()
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		lines = append(lines, scanner.Text())
	}
	return lines
}

func cpu() float64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

// accepted prints the paths that pass.
func accepted(paths []string, passes func(path string) bool) {
	for _, path := range paths {
		if passes(path) {
			fmt.Println(path)
		}
	}
}

func accepts(path string) bool { return info(path, "") == nil && write(path, io.Discard) == nil }

func draws(path string) bool {
	_, err := drawThumbnail(path)
	return err == nil
}

func fail(values ...any) {
	fmt.Fprintln(os.Stderr, values...)
	os.Exit(2)
}

func main() {
	works := map[string]func(path, folder string) error{
		"info": info, "parse": parse, "save": save, "thumbnails": thumbnail}
	if len(os.Args) < 3 {
		fail("use: peer accept|draws|info|parse|save|views|thumbnails LIST [FOLDER [X,Y...]]")
	}
	task, folder := os.Args[1], ""
	if len(os.Args) > 3 {
		folder = os.Args[3]
	}
	if task == "views" {
		if err := views(os.Args[2], folder, os.Args[4:]); err != nil {
			fail(os.Args[2], err)
		}
		return
	}
	paths := readList(os.Args[2])
	if task == "accept" || task == "draws" {
		accepted(paths, map[string]func(string) bool{"accept": accepts, "draws": draws}[task])
		return
	}
	startCPU, start := cpu(), time.Now()
	for _, path := range paths {
		if err := works[task](path, folder); err != nil {
			fail(path, err)
		}
	}
	fmt.Printf("jxsl13 cpu=%.6f wall=%.6f sum=0 files=%d\n", cpu()-startCPU, time.Since(start).Seconds(), len(paths))
}
