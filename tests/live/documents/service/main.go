// The service that the documents ask: it leaks goroutines, some at its start and
// more when it is used, and serves net/http/pprof at each address that it is
// given (localhost:6060 when there is none):
//
//	HOST:PORT        by HTTP
//	https:HOST:PORT  by TLS; its certificate goes to the file $CERTIFICATE
//	unix:SOCKET      on a unix socket
//
// It prints "ready" when all of them can be asked. What is posted to it, as
// receivers of messages are, it takes.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"strings"
	"time"
)

const leakedAtOnce = 120

//go:noinline
func deliver(results chan<- int) {
	results <- 1
}

// leak starts goroutines whose results nobody will ever take.
func leak() {
	results := make(chan int)
	for n := 0; n < leakedAtOnce; n++ {
		go deliver(results)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// certificate makes one that vouches for itself, and writes it to a file.
func certificate(host string) tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	form := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: host},
		DNSNames:              []string{host},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form,
		&key.PublicKey, key)
	must(err)
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	must(os.WriteFile(os.Getenv("CERTIFICATE"), text, 0o644))
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func listen(address string) net.Listener {
	kind, rest, found := strings.Cut(address, ":")
	if found && kind == "unix" {
		listener, err := net.Listen("unix", rest)
		must(err)
		return listener
	}
	if !found || kind != "https" {
		listener, err := net.Listen("tcp", address)
		must(err)
		return listener
	}
	host, _, err := net.SplitHostPort(rest)
	must(err)
	listener, err := tls.Listen("tcp", rest, &tls.Config{
		Certificates: []tls.Certificate{certificate(host)},
	})
	must(err)
	return listener
}

func main() {
	http.HandleFunc("/work", func(http.ResponseWriter, *http.Request) {
		leak()
	})
	http.HandleFunc("/admin/debug/pprof/", func(w http.ResponseWriter,
		r *http.Request) {
		pprof.Handler("goroutine").ServeHTTP(w, r)
	})
	http.HandleFunc("/hook", func(http.ResponseWriter, *http.Request) {})
	leak()

	addresses := os.Args[1:]
	if len(addresses) == 0 {
		addresses = []string{"localhost:6060"}
	}
	for _, address := range addresses {
		listener := listen(address)
		go func() { log.Fatal(http.Serve(listener, nil)) }()
	}
	fmt.Println("ready")
	select {}
}
