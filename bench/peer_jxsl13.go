// SPDX-License-Identifier: Zlib

// Drives jxsl13's twmap for Go in one process, so that it pays for starting only once:
//
//	peer accept|info|parse|save LIST [FOLDER]
//
// accept prints the paths of LIST that it can parse and write. The others do one round over LIST and print a line
// like those of the floor programs, without a sum: its model is not comparable.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/jxsl13/twmap"
)

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

func main() {
	works := map[string]func(path, folder string) error{"info": info, "parse": parse, "save": save}
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "use: peer accept|info|parse|save LIST [FOLDER]")
		os.Exit(2)
	}
	paths := readList(os.Args[2])
	if os.Args[1] == "accept" {
		for _, path := range paths {
			if info(path, "") == nil && write(path, io.Discard) == nil {
				fmt.Println(path)
			}
		}
		return
	}
	folder := ""
	if len(os.Args) > 3 {
		folder = os.Args[3]
	}
	startCPU, start := cpu(), time.Now()
	for _, path := range paths {
		if err := works[os.Args[1]](path, folder); err != nil {
			fmt.Fprintln(os.Stderr, path, err)
			os.Exit(2)
		}
	}
	fmt.Printf("jxsl13 cpu=%.6f wall=%.6f sum=0 files=%d\n", cpu()-startCPU, time.Since(start).Seconds(), len(paths))
}
