// Servers for tests/live/fetch.sh that speak TLS. It makes an authority of its
// own, writes ca.pem, client.pem and client.key into the folder that it is
// given, and prints a line "NAME=PORT" for each server:
//
//	good     a certificate for localhost and 127.0.0.1
//	other    one for another name
//	expired  one that ended yesterday
//	strict   good, and wants a certificate of the client
//
// and for a plain one, which answers the same, and on a unix socket in the
// folder as well:
//
//	plain    net/http/pprof below /debug/pprof/ and /admin/debug/pprof/
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
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newKey() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	return key
}

func newAuthority() *authority {
	key := newKey()
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "test authority"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template,
		&key.PublicKey, key)
	must(err)
	cert, err := x509.ParseCertificate(der)
	must(err)
	return &authority{cert, key}
}

// issue makes a certificate for a name that ends at a time.
func (a *authority) issue(name string, end time.Time) tls.Certificate {
	key := newKey()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: name},
		DNSNames:     []string{name},
		NotBefore:    end.Add(-48 * time.Hour),
		NotAfter:     end,
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth,
			x509.ExtKeyUsageClientAuth},
	}
	if name == "localhost" {
		template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert,
		&key.PublicKey, a.key)
	must(err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func writePEM(path, kind string, der []byte) {
	block := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
	must(os.WriteFile(path, block, 0600))
}

func handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/admin/", func(w http.ResponseWriter, r *http.Request) {
		r.URL.Path = strings.TrimPrefix(r.URL.Path, "/admin")
		pprof.Index(w, r)
	})
	return mux
}

func serve(listener net.Listener) {
	server := &http.Server{Handler: handler(),
		ErrorLog: log.New(io.Discard, "", 0)}
	go server.Serve(listener)
}

func serveTCP(name string, config *tls.Config) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	fmt.Printf("%s=%d\n", name, listener.Addr().(*net.TCPAddr).Port)
	if config != nil {
		listener = tls.NewListener(listener, config)
	}
	serve(listener)
}

func main() {
	folder := os.Args[1]
	ca := newAuthority()
	soon := time.Now().Add(24 * time.Hour)
	clients := x509.NewCertPool()
	clients.AddCert(ca.cert)

	client := ca.issue("client", soon)
	der, err := x509.MarshalECPrivateKey(client.PrivateKey.(*ecdsa.PrivateKey))
	must(err)
	writePEM(filepath.Join(folder, "ca.pem"), "CERTIFICATE", ca.cert.Raw)
	writePEM(filepath.Join(folder, "client.pem"), "CERTIFICATE",
		client.Certificate[0])
	writePEM(filepath.Join(folder, "client.key"), "EC PRIVATE KEY", der)

	with := func(cert tls.Certificate) *tls.Config {
		return &tls.Config{Certificates: []tls.Certificate{cert}}
	}
	strict := with(ca.issue("localhost", soon))
	strict.ClientAuth = tls.RequireAndVerifyClientCert
	strict.ClientCAs = clients
	serveTCP("good", with(ca.issue("localhost", soon)))
	serveTCP("other", with(ca.issue("other.example", soon)))
	serveTCP("expired", with(ca.issue("localhost",
		time.Now().Add(-24*time.Hour))))
	serveTCP("strict", strict)
	serveTCP("plain", nil)

	socket, err := net.Listen("unix", filepath.Join(folder, "go.sock"))
	must(err)
	serve(socket)
	fmt.Println("ready=1")
	select {}
}
