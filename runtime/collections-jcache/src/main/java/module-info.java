/** JCache (JSR 107) over replicated maps. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("requires-transitive-automatic") // its jar has no module's name but its file's
module org.terrace.collections.jcache {
  requires transitive cache.api;
  requires transitive java.management;
  requires transitive org.terrace.collections;

  exports org.terrace.collections.jcache;

  provides javax.cache.spi.CachingProvider with
      org.terrace.collections.jcache.TerraceCachingProvider;
}
