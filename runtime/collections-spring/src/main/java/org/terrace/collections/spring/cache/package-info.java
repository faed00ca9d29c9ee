/** Spring's caches in replicated maps: what one server has computed, all have. */
package org.terrace.collections.spring.cache;
