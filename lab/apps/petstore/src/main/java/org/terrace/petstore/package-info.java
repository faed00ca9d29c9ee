/** A pet store of seven services over replicated soft state, and what puts load on it. */
@org.jspecify.annotations.NullMarked
package org.terrace.petstore;
