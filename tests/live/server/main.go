// A server for the live tests: it prints the address on which it serves
// net/http/pprof, and keeps idle connections, tickers and workers, as healthy
// servers do. With -leak it also leaks goroutines and queues them on a lock, with
// -grow N it goes on leaking N goroutines a second beside steady traffic, at the
// lines that carry a "mark:". With -wait it begins to do so when it gets a
// SIGUSR1. With -load its traffic comes in waves.
package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

const (
	leaked  = 200 // goroutines that no receiver comes for
	waiters = 120 // goroutines behind one lock
	conns   = 20  // idle keep-alive connections
	workers = 15
	tickers = 12

	growth  = 60  // goroutines that -wait leaks in a second
	traffic = 400 // requests that come in a second, and end
)

// mailbox is unbuffered: whoever sends after the reader left stays for ever.
type mailbox struct{ messages chan string }

//go:noinline
func (m *mailbox) deliver(message string) {
	m.messages <- message // mark: leak
}

// accounts is guarded by one lock that a slow holder keeps.
type accounts struct {
	mu      sync.Mutex
	balance map[string]int
}

//go:noinline
func (a *accounts) read(name string) int {
	a.mu.Lock() // mark: contention
	defer a.mu.Unlock()
	return a.balance[name]
}

//go:noinline
func (a *accounts) reconcile(held chan<- bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	held <- true
	time.Sleep(time.Hour) // mark: holder
}

//go:noinline
func worker(jobs <-chan int) {
	for range jobs { // mark: worker
	}
}

//go:noinline
func tick() {
	for range time.NewTicker(time.Hour).C { // mark: ticker
	}
}

// plant starts what is wrong with this server.
func plant() {
	box := &mailbox{messages: make(chan string)}
	for i := 0; i < leaked; i++ {
		go box.deliver("hello")
	}
	bank := &accounts{balance: map[string]int{}}
	held := make(chan bool)
	go bank.reconcile(held)
	<-held
	for i := 0; i < waiters; i++ {
		go bank.read("somebody")
	}
}

// feed has no reader either.
type feed struct{ items chan int }

//go:noinline
func (f *feed) publish(item int) {
	f.items <- item // mark: grow
}

// request is over soon.
//
//go:noinline
func request(answers chan<- int) {
	time.Sleep(100 * time.Millisecond) // mark: traffic
	answers <- 1
}

// every starts something so many times a second.
func every(times int, start func(i int)) {
	ticker := time.NewTicker(50 * time.Millisecond)
	for i := 0; ; i++ {
		<-ticker.C
		for k := 0; k < times/20; k++ {
			start(i)
		}
	}
}

// load serves requests that come in waves of some seconds.
func load() {
	answers := make(chan int, 64)
	go every(100, func(i int) {
		n := 2 + 2*math.Sin(float64(i)/15)
		for k := 0; k < int(n+0.5); k++ {
			go request(answers)
		}
	})
	go func() {
		for range answers {
		}
	}()
}

// grow leaks so many a second, and serves, for as long as the server lives.
func grow(rate int) {
	news := &feed{items: make(chan int)}
	answers := make(chan int, 64)
	go every(rate, func(i int) { go news.publish(i) })
	go every(traffic, func(int) { go request(answers) })
	go func() {
		for range answers {
		}
	}()
}

// connect leaves keep-alive connections to the server idle.
func connect(address string) {
	transport := &http.Transport{MaxIdleConnsPerHost: conns}
	client := &http.Client{Transport: transport}
	var done sync.WaitGroup
	for i := 0; i < conns; i++ {
		done.Add(1)
		go func() {
			defer done.Done()
			answer, err := client.Get("http://" + address + "/hello")
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}()
	}
	done.Wait()
}

// prepare brings the server into its state and then tells its address.
func prepare(address string, leak bool, rate int, waits, loads bool) {
	jobs := make(chan int)
	for i := 0; i < workers; i++ {
		go worker(jobs)
	}
	for i := 0; i < tickers; i++ {
		go tick()
	}
	connect(address)
	if leak {
		plant()
	}
	if loads {
		load()
	}
	if waits {
		begin := make(chan os.Signal, 1)
		signal.Notify(begin, syscall.SIGUSR1)
		go func() {
			<-begin
			grow(growth)
		}()
	} else if rate > 0 {
		grow(rate)
	}
	time.Sleep(300 * time.Millisecond) // until each has come to its place
	fmt.Println(address)
}

func main() {
	leak := flag.Bool("leak", false, "plant a leak and contention")
	rate := flag.Int("grow", 0, "leak so many more a second, in steps of 20")
	waits := flag.Bool("wait", false, "leak more and more when SIGUSR1 comes")
	loads := flag.Bool("load", false, "serve requests that come in waves")
	flag.Parse()

	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/hello", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(50 * time.Millisecond) // so that each needs a connection
		io.WriteString(w, "hello\n")
	})
	mux.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "<!DOCTYPE html>\n<html><body>Log in</body></html>\n")
	})

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go prepare(listener.Addr().String(), *leak, *rate, *waits, *loads)
	http.Serve(listener, mux)
}
