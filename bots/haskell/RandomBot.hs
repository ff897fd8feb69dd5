-- A bot that plays any legal move. GHC's own packages only: messages are compact and have their fields in the order of
-- PROTOCOL.md, so cutting a line at a field's name is enough.
--
-- Build:        ghc -O -o random_bot bots/haskell/RandomBot.hs
-- Run a match:  referee match bao-kigogo ./random_bot random-bot
-- Without:      referee match bao-kigogo "runghc bots/haskell/RandomBot.hs" random-bot
-- By hand:      ./random_bot     and type messages of PROTOCOL.md, one a line
module Main (main) where

import Data.IORef (IORef, newIORef, readIORef, writeIORef)
import Data.List (isPrefixOf, tails)
import Data.Maybe (listToMaybe, mapMaybe)
import Data.Time.Clock.POSIX (getPOSIXTime)
import System.IO

-- | Cuts out what follows a word, up to the first of some characters.
field :: String -> String -> String -> String
field word ends line = maybe "" (takeWhile (`notElem` ends)) (listToMaybe (mapMaybe after (tails line)))
  where
    after rest
      | word `isPrefixOf` rest = Just (drop (length word) rest)
      | otherwise = Nothing

text, number :: String -> String -> String
text name = field ("\"" ++ name ++ "\":\"") "\""
number name = field ("\"" ++ name ++ "\":") ",}"

-- | Chooses one of the legal moves, by a small generator of random numbers. This is where your ideas go.
choose :: IORef Integer -> [String] -> IO String
choose chance legal = do
  state <- readIORef chance
  let next = (state * 6364136223846793005 + 1442695040888963407) `mod` (2 ^ (64 :: Int))
  writeIORef chance next
  return (legal !! fromInteger ((next `div` 2 ^ (33 :: Int)) `mod` toInteger (length legal)))

main :: IO ()
main = do
  -- Without this, lines wait in a buffer.
  hSetBuffering stdout LineBuffering
  now <- getPOSIXTime
  chance <- newIORef (round (now * 1000000))
  converse chance

converse :: IORef Integer -> IO ()
converse chance = do
  end <- isEOF
  if end then return () else getLine >>= answer
  where
    answer line = do
      let idOf = number "id" line
          next = converse chance
      case text "type" line of
        "hello" -> do
          putStrLn $
            "{\"type\":\"hello\",\"protocol\":1,\"name\":\"RandomBot.hs\",\"version\":\"1.0\","
              ++ "\"author\":\"Bao Referee\",\"games\":[\"bao-kigogo\",\"bao-kingulu\"]}"
          next
        "new_game" -> putStrLn ("{\"type\":\"ready\",\"id\":" ++ idOf ++ "}") >> next
        "go" -> do
          move <- choose chance (words (text "legal" line))
          putStrLn ("{\"type\":\"move\",\"id\":" ++ idOf ++ ",\"move\":\"" ++ move ++ "\"}")
          next
        "ping" -> putStrLn ("{\"type\":\"pong\",\"id\":" ++ idOf ++ "}") >> next
        "fault" -> hPutStrLn stderr line >> next
        "bye" -> return ()
        _ -> next -- set_option, game_over, a type of a later version: no answer
