/** Caches of the specification JSR 107 in replicated maps. */
package org.terrace.collections.jcache;
