module github.com/validationtool/validationtool/internal/dev/kinds

go 1.26.0
