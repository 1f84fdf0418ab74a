package search

// Index maps each word to the products that hold it.
type Index map[string][]int

// Add puts a product's description into the index.
func (index Index) Add(product int, description string) {
	for _, token := range Tokens(description) {
		index[token] = append(index[token], product)
	}
}

// Find returns the products that hold every word of the query.
func (index Index) Find(query string) []int {
	counts := map[int]int{}
	tokens := Tokens(query)
	for _, token := range tokens {
		for _, product := range index[token] {
			counts[product]++ // TODO: a word that occurs twice counts twice
		}
	}
	var found []int
	for product, count := range counts {
		if count >= len(tokens) {
			found = append(found, product)
		}
	}
	return found
}
