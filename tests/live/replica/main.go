// A service as replicas of it stand idle: all they have are the goroutines of
// their start. It prints its address.
package main

import (
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"time"
)

func work(jobs chan func()) {
	for job := range jobs {
		job()
	}
}

func flush(every time.Duration) {
	for range time.Tick(every) {
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	jobs := make(chan func())
	for i := 0; i < 20; i++ {
		go work(jobs)
	}
	for i := 1; i <= 3; i++ {
		go flush(time.Duration(i) * time.Hour)
	}
	fmt.Println(listener.Addr())
	http.Serve(listener, nil)
}
