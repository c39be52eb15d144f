// files
