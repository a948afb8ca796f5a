package collector

import (
	"fmt"
	"os"
	"reflect"
	"testing"
)

// TestMain names the columns that a row of the table lacks, and then runs no test: all would crash.
func TestMain(m *testing.M) {
	status := 0
	for i, c := range table() {
		if c.layout == "" {
			fmt.Printf("row %d of the table of collectors has no layout\n", i)
			status = 1
		}
		for _, columns := range []reflect.Value{reflect.ValueOf(c), reflect.ValueOf(c.detect)} {
			for j := range columns.NumField() {
				if columns.Field(j).IsZero() {
					fmt.Printf("the row of %s has no %s\n", c.layout, columns.Type().Field(j).Name)
					status = 1
				}
			}
		}
	}
	if status == 0 {
		status = m.Run()
	}
	os.Exit(status)
}
