// The global dispatcher is that of the first undici that is loaded. Whether it is Node's own, by which fetch sends, or that of the package must not
// depend on which specs share a process: the class loads Node's own.
export const response = Response;
