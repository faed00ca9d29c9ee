/** The programs that set up, serve, call and check the seven applications. */
@org.jspecify.annotations.NullMarked
package org.terrace.seven;
