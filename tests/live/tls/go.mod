module example.com/tls

go 1.19
