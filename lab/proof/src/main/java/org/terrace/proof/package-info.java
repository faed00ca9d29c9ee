/** The random histories of the tests as commands. */
@NullMarked
package org.terrace.proof;

import org.jspecify.annotations.NullMarked;
