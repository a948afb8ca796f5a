package quantity

import (
	"errors"
	"math/big"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Amount is the value of a quantity.
type Amount struct{ quantity resource.Quantity }

// Limits of a quantity. Kubernetes accepts more, and takes hours for 1e999999999.
const (
	longestQuantity = 100
	longestExponent = 2 // digits
)

// ParseQuantity parses a quantity as Kubernetes does: "1000m", "1Gi", "1e3". As in Kubernetes, an
// amount below a billionth is rounded up to a billionth, and a binary amount that needs more than
// 64 bits becomes the largest that fits.
func ParseQuantity(text string) (Amount, error) {
	if at := strings.IndexAny(text, "eE"); len(text) > longestQuantity ||
		at >= 0 && len(strings.TrimLeft(text[at+1:], "+-0")) > longestExponent {
		return Amount{}, errors.New("it is not a quantity: it has too many digits")
	}
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return Amount{}, errors.New("it is not a quantity, such as 500m or 1Gi")
	}
	return Amount{q}, nil
}

// Compare returns a negative number, 0 or a positive number if the amount is smaller, equal or
// larger.
func (a Amount) Compare(other Amount) int { return a.quantity.Cmp(other.quantity) }

// String returns the amount as a number. Equal amounts have the same text.
func (a Amount) String() string {
	number, _ := new(big.Rat).SetString(a.quantity.AsDec().String())
	return number.RatString()
}
