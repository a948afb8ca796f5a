package cluster

// recognise decides which inputs a collector wrote. The names of folders do not suffice, because
// people name the folders of Git repositories like that too: a file that only the collector writes
// must be there, or one that comes from an API server. Other inputs are plain folders.
func (r *Reading) recognise() {
	r.mu.Lock() // a goroutine that was left behind may still read a file
	defer r.mu.Unlock()
	inputs := r.Summary.Inputs
	for _, b := range r.kept {
		in := &inputs[b.File.Input]
		in.Certain = in.Certain || b.Contents.Shown
	}
	for i := range inputs {
		if !inputs[i].Certain {
			inputs[i].Layout, inputs[i].Roots = "", nil
		}
	}
	for _, b := range r.kept {
		if b.plain != nil && inputs[b.File.Input].Layout == "" {
			b.Contents, b.plain = *b.plain, nil
		}
	}
}
