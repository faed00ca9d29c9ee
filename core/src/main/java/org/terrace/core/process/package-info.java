/** Processes that end with the one that started them, however it ends. */
package org.terrace.core.process;
