/** The histories of the collections' tests as a command. */
@NullMarked
package org.terrace.proof;

import org.jspecify.annotations.NullMarked;
