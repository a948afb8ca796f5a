package quantity

import (
	"errors"
	"math/big"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Amount is what a quantity stands for.
type Amount struct{ quantity resource.Quantity }

// What a quantity may have at most. Kubernetes would read more, and take hours for 1e999999999.
const (
	longestQuantity = 100
	longestExponent = 2 // digits
)

// ParseQuantity reads a quantity as Kubernetes does: "1000m", "1Gi", "1e3". As there, less than a
// billionth is a billionth, and more than fits into 64 bits, in powers of 1024, is the most that
// does.
func ParseQuantity(text string) (Amount, error) {
	if at := strings.IndexAny(text, "eE"); len(text) > longestQuantity ||
		at >= 0 && len(strings.TrimLeft(text[at+1:], "+-0")) > longestExponent {
		return Amount{}, errors.New("it is no quantity: it has more digits than an amount has")
	}
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return Amount{}, errors.New("it is no quantity, such as 500m or 1Gi")
	}
	return Amount{q}, nil
}

// Compare is below 0 where the amount is the smaller one, 0 where both are the same, and above
// where it is the larger one.
func (a Amount) Compare(other Amount) int { return a.quantity.Cmp(other.quantity) }

// String writes the amount as a number: two of them have the same text if they are the same.
func (a Amount) String() string {
	number, _ := new(big.Rat).SetString(a.quantity.AsDec().String())
	return number.RatString()
}
