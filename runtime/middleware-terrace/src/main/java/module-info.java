/** The default transport: bounded binary frames over blocking sockets. */
@org.jspecify.annotations.NullMarked
module org.terrace.middleware.terrace {
  requires static com.google.errorprone.annotations;
  requires transitive org.terrace.middleware;

  provides org.terrace.middleware.Middleware with
      org.terrace.middleware.terrace.TerraceMiddleware;
}
